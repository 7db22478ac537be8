"""Parts of an experiment: each once, killed and resumed, and merged to the bits of one process."""

import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from learners import command, setup_file
from learners.command import cut
from learners.sweep import gather, run
from learners.sweep.parts import ArrayPart, merged, run_part
from tests.cases import cases

ROOT = Path(__file__).parents[3]
SETUP = """steps = 50
replicates = 3
[[learners]]
id = "banditron"
[dataset]
id = "synsep"
examples = 500
[[vary]]
parameter = "gamma"
low = 0.1
high = 0.9
number = 20
"""
# writes half of the second file, and is killed by the system in the middle of it
KILLED = """
import os, signal, sys
import numpy as np
from learners import command

saved, save = [], np.savez
def half(file, **columns):
    saved.append(1)
    if len(saved) == 2:
        file.write(b"PK")
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    save(file, **columns)
np.savez = half
command.main(sys.argv[1:])
"""


def test_part_7_of_10_is_killed_and_resumed_and_all_are_merged_to_the_same_bits(tmp_path, capsys):
    (tmp_path / "setup.toml").write_text(SETUP)
    parts = tmp_path / "parts"
    told = ["sweep", str(tmp_path / "setup.toml"), "--metrics", "error-rate,mistakes", "--quiet"]
    part = ["--part", "7/10", "--out", str(parts)]
    killed = subprocess.run([sys.executable, "-c", KILLED, *told, *part], cwd=ROOT, env=dict(os.environ), check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(parts.glob("*.npz"))) == 1
    for number in range(1, 11):
        if number != 7:
            assert command.main([*told, "--part", f"{number}/10", "--out", str(parts)]) == 0
    assert command.main(["merge", str(parts)]) == 2
    assert capsys.readouterr().err.endswith(f"1 of 20 batches are missing in {parts}; run these parts again: 7/10\n")
    assert command.main([*told, *part]) == 0
    assert "part 7 of 10: 1 of its 2 batches were left to run" in capsys.readouterr().out
    assert command.main(["merge", str(parts), "--csv", str(tmp_path / "parts.csv")]) == 0
    assert command.main([*told, "--csv", str(tmp_path / "one.csv")]) == 0
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
    assert len(pd.read_csv(tmp_path / "one.csv")) == 20 * 3 * 2
    spec = setup_file.read(SETUP)
    one = gather(run(cut(spec, ["error-rate", "mistakes"])))
    again = gather(merged(cut(spec, ["error-rate", "mistakes"]), 10, parts))
    pd.testing.assert_frame_equal(one, again, check_exact=True)
    assert one.value.to_numpy().tobytes() == again.value.to_numpy().tobytes()


def test_every_batch_belongs_to_one_part():
    batches = list(range(10))
    parts = [ArrayPart(i, 3).of_batches(batches) for i in (1, 2, 3)]
    assert sorted(itertools.chain(*parts)) == batches and max(map(len, parts)) - min(map(len, parts)) <= 1
    assert ArrayPart(17, 40).of_batches(batches) == []


@cases("text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/9999999"])
def test_a_wrong_part_is_refused(text):
    with pytest.raises(ValueError, match="a part is written as 3/"):
        ArrayPart.parse(text)


def test_a_damaged_file_is_computed_again(tmp_path):
    batches = cut(setup_file.read(SETUP.replace("number = 20", "number = 3")), ["error-rate"])
    assert run_part(batches, ArrayPart(), tmp_path) == 3
    file = tmp_path / "00001.npz"
    for damaged in (b"", b"PK", file.read_bytes()[:-30]):
        file.write_bytes(damaged)
        assert run_part(batches, ArrayPart(), tmp_path) == 1
    assert run_part(batches, ArrayPart(), tmp_path) == 0


RACE = SETUP.split("[[vary]]")[0].replace("[dataset]", '[[learners]]\nid = "perceptron"\n[dataset]')


def test_a_comparison_runs_in_parts_too(tmp_path, capsys):
    (tmp_path / "race.toml").write_text(RACE)
    told = ["compare", str(tmp_path / "race.toml"), "--seeds", "6", "--quiet"]
    assert command.main(told) == 0
    whole = capsys.readouterr().out
    assert whole.startswith("Yes: Perceptron is better.\nOn 6 of 6 data seeds Perceptron had a lower error rate")
    for number in (1, 2, 3, 4, 5):
        assert command.main([*told, "--part", f"{number}/5", "--out", str(tmp_path / "parts")]) == 0
    capsys.readouterr()
    files = ["--csv", str(tmp_path / "pairs.csv"), "--latex", str(tmp_path / "new" / "pairs.tex")]
    assert command.main(["merge", str(tmp_path / "parts"), *files]) == 0
    assert capsys.readouterr().out.startswith(whole)
    assert "\\toprule" in (tmp_path / "new" / "pairs.tex").read_text()
    assert pd.read_csv(tmp_path / "pairs.csv")["won on"][0] == 6


def test_a_run_is_swept_learner_by_learner(tmp_path, capsys):
    (tmp_path / "race.toml").write_text(RACE)
    csv = tmp_path / "race.csv"
    assert command.main(["sweep", str(tmp_path / "race.toml"), "--metrics", "mistakes", "--csv", str(csv)]) == 0
    table = pd.read_csv(csv)
    assert list(table.learner) == ["Banditron, γ = 0.05"] * 3 + ["Perceptron (told the truth)"] * 3
    run = setup_file.read(RACE)
    simulation = run.simulation(0, run.load())
    simulation.advance(run.steps)
    assert list(table.value[:3]) == list(simulation.history.final("mistakes"))


def test_what_is_wrong_ends_in_one_sentence(tmp_path, capsys):
    setup = tmp_path / "race.toml"
    setup.write_text(RACE)
    parts = str(tmp_path / "parts")
    assert command.main(["compare", str(setup), "--seeds", "6", "--part", "1/2", "--out", parts, "--quiet"]) == 0
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "plan.json").write_text(json.dumps({"setup": 3}))
    plan = json.loads((tmp_path / "parts" / "plan.json").read_text())
    for name, odd in (
        ("one", {"command": 3}),
        ("two", {"parts": 0}),
        ("three", {"parts": "x"}),
        ("four", {"command": "sweep"}),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "plan.json").write_text(json.dumps(plan | odd))
    for told, words in (
        (["sweep", str(tmp_path / "none.toml")], "cannot be read"),
        (["sweep", str(setup), "--part", "1/2"], "--part and --out go together"),
        (["sweep", str(setup), "--metrics", "nonsense"], "there is no metric"),
        (["compare", str(setup), "--metric", "nonsense"], "needs a metric in which"),
        (["compare", str(setup), "--seeds", "0"], "seeds must be"),
        (["compare", str(setup), "--seeds", "7", "--part", "1/2", "--out", parts], "holds parts of another experiment"),
        (["merge", str(tmp_path)], "holds no parts"),
        *((["merge", str(tmp_path / name)], "holds no parts") for name in ("bad", "one", "two", "three", "four")),
    ):
        capsys.readouterr()
        assert command.main(told) == 2
        said = capsys.readouterr().err.splitlines()
        assert words in said[-1] and len(said) == 1
