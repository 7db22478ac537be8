"""The Python scripts that a lab and a sweep export. They run from any folder and give the same numbers."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import datasets
from datasets.own_code import OwnSource, sources
from datasets.parameters import Declared
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from learners.grid import GridSpec
from learners.spec import RunSpec

WIDEST = 118  # characters of a line; one that is longer is broken


def lab_script(run: RunSpec, link: str = "", window: int = 1) -> str:
    """Return a Python script that needs only the library and gives the numbers of a run, which `link` opens.

    window : steps over which the page draws means of values of single steps.
    """
    dataset, user, comparison, answers = run.dataset, run.user, run.comparison, dict(run.answers)
    maker = "Simulation" if comparison is None else "Comparison"
    needed = ["create"] + ["create_user"] * (user is not None)
    imports = f"from learners import {', '.join([*['Simulation'] * (comparison is None), *needed])}"
    if comparison is not None:
        imports += "\n    from learners.interleaving import Comparison"
    made = "".join(
        call(f"        {literal(name)}: create", learner, learner_classes()) + ",\n"
        for name, learner in zip(run.labels(), run.learners, strict=True)
    )
    settings = {"replicates": "REPLICATES", "seed": "SEED"}
    settings |= {name: literal(value) for name, value in comparison or ()}
    settings |= {"answers": "ANSWERS"} if answers else {}
    arguments = ["learner", "dataset", "user" if user else "None", *_pairs(settings)]
    person = call("\n        user = create_user", user, user_classes()) if user else ""
    constants = {"REPLICATES": run.replicates, "STEPS": run.steps, "SEED": run.seed}
    constants |= {"WINDOW": window} if window > 1 else {}
    own = sources(spec.id for spec in (*run.learners, dataset, user) if spec)
    body = (
        _answered(answers)
        + _own(own)
        + f"""
def main():
    arguments = read_arguments()
    if not 1 <= arguments.step <= STEPS:
        stop(f"--step must be from 1 to {{STEPS}}, got {{arguments.step}}.")
    find_library(arguments.library){_FIND * _has_file(dataset)}{_TAKE * bool(own)}
    from datasets import load
    {imports}

{_loaded("    dataset = load", dataset)}
    learners = {{
{made}    }}

    tables = []
    for name, learner in learners.items():{person}
{_joined(f"        simulation = {maker}", arguments)}
        simulation.advance(steps=STEPS)
        print(name)
        tell(simulation.history, arguments.step)
        if arguments.csv:
            table = simulation.history.frame().assign(learner=name)
            tables.append(table.pivot(index=["learner", "step", "replicate"], columns="metric", values="value"))
    if tables:
        write(tables, arguments.csv, "history.csv")
"""
        + (_TELL.replace("‹also›", _ALSO) + _OF_STEPS if window > 1 else _TELL.replace("‹also›", ""))
    )
    written = "history.csv, a row for each learner, step and replicate"
    return _whole("A run of Feedback Lab", "run.py", written, dataset, constants, body, link, run.steps)


def _answered(answers: Mapping[int, Sequence[int]]) -> str:
    """Return the constant that holds what a person answered, or nothing."""
    if not answers:
        return ""
    steps = "".join(f"    {t}: {tuple(items)!r},\n" for t, items in answers.items())
    return (
        f"ANSWERS = {{  # what a person approved of in some steps: documents or labels, numbered from 0\n{steps}}}\n\n"
    )


def _own(own: Sequence[OwnSource]) -> str:
    """Return the constant with the code of learners, users and data of one's own, and what takes it in, or nothing."""
    if not own:
        return ""
    each = ""
    for source in own:
        lines = "".join(f"        {literal(line)},\n" for line in source.text.splitlines())
        each += f"    ({literal(source.name)}, {literal(Path(source.path).name)}, [\n{lines}    ]),\n"
    words = "code that is not part of the library: what it is for, its file, and its lines"
    return f"SOURCES = [  # {words}\n{each}]\n{_TAKEN}"


def sweep_script(spec: GridSpec) -> str:
    """Return a Python script that needs only the library and gives the table of a sweep."""
    run, (learner,) = spec.run, spec.run.learners
    dataset, user = run.dataset, run.user
    person = call('\n        "user": create_user', user, user_classes()) + "," if user else ""
    grid = "".join(
        _joined(f"    {literal(name)}: ", [literal(v) for v in values], "[]") + ",\n"
        for name, values in spec.over.items()
    )
    constants = {"REPLICATES": run.replicates, "STEPS": run.steps, "SEED": run.seed}
    own = sources(spec.id for spec in (learner, dataset, user) if spec)
    body = f"""{_own(own)}OVER = {{  # the values of each parameter
{grid}}}


def main():
    arguments = read_arguments()
    find_library(arguments.library){_FIND * _has_file(dataset)}{_TAKE * bool(own)}
    import datasets
    from learners import {"create, create_user, sweep" if user else "create, sweep"}

    setup = {{
{call('        "learner": create', learner, learner_classes())},
{_loaded('        "dataset": datasets.create', dataset)},{person}
    }}
    table = sweep(setup, over=OVER, replicates=REPLICATES, seed=SEED, steps=STEPS, workers=1)
    print(table.groupby(["metric", *OVER]).value.agg(["mean", "sem"]))
    if arguments.csv:
        write([table.set_index([*OVER, "replicate", "metric"])], arguments.csv, "sweep.csv")
"""
    written = "sweep.csv, a row for each point, replicate and metric"
    return _whole("A sweep of Feedback Lab", "sweep.py", written, dataset, constants, body)


def literal(value: Any) -> str:
    """Return a value as Python source, texts in double quotes.

    >>> print(literal("3PR, “p”"), literal(0.5), literal('a "b"'))
    "3PR, “p”" 0.5 'a "b"'
    """
    if not isinstance(value, str):
        return repr(value)
    plain = value.isprintable() and not set(value) & {'"', "\\"}
    return json.dumps(value, ensure_ascii=False) if plain else repr(value)


def call(before: str, spec: Spec, classes: Mapping[str, type[Declared]], fixed: Mapping[str, str] | None = None) -> str:
    """Return the source of a call with a spec, its parameters as declared; a long one has a line for each parameter.

    before : the line up to the name of the function. classes : by id, one of which the spec describes. fixed : source
    of parameters, in place of their values.

    >>> call("learner = create", Spec("banditron", (("gamma", 0.1),)), learner_classes())
    'learner = create("banditron", gamma=0.1)'
    """
    declared = {p.name: literal(spec.values[p.name]) for p in classes[spec.id].parameters() if p.name in spec.values}
    return _joined(before, [literal(spec.id), *_pairs(declared | dict(fixed or {}))])


def _pairs(settings: Mapping[str, str]) -> list[str]:
    return [f"{name}={source}" for name, source in settings.items()]


def _joined(before: str, parts: Sequence[str], brackets: str = "()") -> str:
    """Return parts in brackets, on the line that begins with `before` or, if it gets too long, one on each line."""
    line = f"{before}{brackets[0]}{', '.join(parts)}{brackets[1]}"
    if len(line.lstrip("\n")) <= WIDEST:
        return line
    start = before.lstrip("\n")
    indent = " " * (len(start) - len(start.lstrip()))
    return f"{before}{brackets[0]}\n" + "".join(f"{indent}    {p},\n" for p in parts) + f"{indent}{brackets[1]}"


def _has_file(dataset: Spec) -> bool:
    return bool(dataset.values.get("path"))


def _file(dataset: Spec) -> str:
    """Return the path of the file within the folder of data; an upload has no folder there."""
    id: str = dataset.values["path"]
    return id.rsplit("/", 1)[-1] if id.startswith("upload/") else id


def _loaded(before: str, dataset: Spec) -> str:
    return call(before, dataset, datasets.classes(), {"path": "str(path)"} if _has_file(dataset) else None)


def _whole(
    title: str,
    name: str,
    written: str,
    dataset: Spec,
    constants: Mapping[str, int],
    body: str,
    link: str = "",
    steps: int = 0,
) -> str:
    """Return the script: what it is and how to run it, its constants, its own part, and the parts all scripts share.

    steps : those of one run, of which a single one may be asked for.
    """
    own = _has_file(dataset)
    usage = {f"python {name} --library PATH": "PATH is the folder that holds learners/ and datasets/"}
    if own:
        usage[f"python {name} --data FOLDER"] = f"FOLDER holds {_file(dataset)}"
    usage[f"python {name} --csv FOLDER"] = f"also writes {written}"
    if steps:
        usage[f"python {name} --step N"] = f"prints the values after step N instead of {steps}"
    widest = max(map(len, usage))
    lines = "".join(f"    {what:{widest}}  {words}\n" for what, words in usage.items())
    kept = "FEEDBACK_LAB may name the first folder" + ", FEEDBACK_LAB_DATA the second" * own
    places = "A script that lies beside learners/ and datasets/, or where feedback-lab is installed, finds them there."
    same = f"\nThe same in the browser:\n{link}\n" if link else ""
    given = "".join(f"{key} = {value}\n" for key, value in constants.items())
    if own:
        given += f"FILE = {literal(_file(dataset))}  # the data of this run; it is not part of the library\n"
    text = _escaped(f"{title}. It runs from any folder.\n\n{lines}\nThe environment variable{'s' * own} {kept}.\n")
    return (
        f'"""{text}{places}\n{_escaped(same)}"""\n\n'
        f"import argparse\nimport os\nimport sys\nfrom importlib.util import find_spec\nfrom pathlib import Path\n\n"
        f"{given}\n{body}\n"
        f"{_ARGUMENTS}{_DATA_ARGUMENT * own}{_STEP_ARGUMENT * bool(steps)}{_PARSED}{_LIBRARY}{_DATA * own}{_END}"
    )


def _escaped(text: str) -> str:
    """Return a text as it may stand in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


_FUNCTIONS = Path(__file__).with_name("script_functions.txt").read_text("utf-8")


def _function(name: str) -> str:
    """Return a function of scripts, without the empty lines behind it."""
    return next(code for code in _FUNCTIONS.split("\n\n\n") if code.startswith(f"def {name}("))


_FIND = "\n    path = find_file(arguments.data)"

_TAKE = "\n    take_code()"

_TAKEN = f"\n\n{_function('take_code')}\n\n\n"

_ARGUMENTS = """
def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", metavar="PATH", help="the folder that holds learners/ and datasets/")
    parser.add_argument("--csv", metavar="FOLDER", help="the folder into which a table is written")
"""

_DATA_ARGUMENT = """    parser.add_argument("--data", metavar="FOLDER", help="the folder that holds the data")
"""

_STEP_ARGUMENT = """    words = "the step after which values are printed"
    parser.add_argument("--step", metavar="N", type=int, default=STEPS, help=words)
"""

_TELL = f"\n\n{_function('tell')}\n"

_ALSO = "{of_steps(history, metric, row)}"

_OF_STEPS = f"\n\n{_function('of_steps')}\n"

_PARSED = """    return parser.parse_args()

"""

_LIBRARY = f"\n{_function('find_library')}\n\n"

_DATA = f"\n{_function('find_file')}\n\n"

_END = "\n" + _FUNCTIONS[_FUNCTIONS.index("def write(") :]
