"""Boosting learners and judges are declared in full."""

import inspect
import re

import pytest

from learners import catalogue, create
from learners.base import PHASES
from learners.boosting.base import Booster
from learners.catalogue import families, user_classes
from learners.theory import BOUNDS
from tests.learners.boosting.problems import CLASSES, IDS, JUDGES, PACKAGES

OTHERS = {"rank-xendcg": "B21", "pseudo-labels": "CTQO21", "poisson-learning": "CCTS20"}  # works after the dissertation


def test_the_algorithms_of_the_dissertation_are_there():
    wanted = {
        "semi-supervised": {"adaboost", "assemble", "mcssb"},
        "learning-to-rank": {"adarank", "ndcg-boost", "linear-regression-ranking"},
        "refinement": {"ranking-refinement", "rocchio", "base-ranker", "judged-first"},
    }
    for family, ids in wanted.items():
        assert ids <= {info.id for info in catalogue() if info.family == family}
    assert "judge" in JUDGES


@pytest.mark.parametrize("id", IDS)
def test_declaration(id):
    cls = CLASSES[id]
    assert issubclass(cls, Booster) and cls.family in families()
    assert cls.__module__ == f"learners.{PACKAGES[cls.family]}.{id.replace('-', '_')}"
    assert cls.title and cls.summary.endswith(".") and cls.needs and cls.paper == OTHERS.get(id, "V") and cls.section
    assert ">>>" in inspect.getdoc(cls) or id in ("lambdarank", "rank-xendcg")  # whose example would need LightGBM
    assert all(p.help.endswith(".") for p in cls.parameters())
    assert all(bound in BOUNDS for bound in cls().bounds)
    assert CLASSES[id] is type(create(id)) and cls.source_code().startswith('"""')


@pytest.mark.parametrize("id", IDS)
def test_lines_have_phases_and_formulas(id):
    lines = CLASSES[id].lines
    assert lines and ("Algorithm" not in CLASSES[id].section or sum("$" in line.text for line in lines) >= 3)
    phases = [PHASES.index(line.phase) for line in lines]
    assert phases == sorted(phases) and len({line.text for line in lines}) == len(lines)
    for line in lines:
        assert line.text.count("$") % 2 == 0
        for formula in re.findall(r"\$(.*?)\$", line.text):
            plain = formula.replace(r"\{", "").replace(r"\}", "")
            assert formula.strip() and plain.count("{") == plain.count("}")
            assert len(re.findall(r"\\left\b", formula)) == len(re.findall(r"\\right\b", formula))
        assert not re.search(r"[\t\a\b\f\r\v]", line.text), "a backslash was taken for a control character"


@pytest.mark.parametrize("id", JUDGES)
def test_judges_are_declared(id):
    cls = user_classes()[id]
    assert (
        cls.__module__.startswith("learners.boosting.refinement.judges.")
        and cls.__doc__
        and cls.title
        and cls.summary.endswith(".")
    )
    assert cls.paper == "V" and all(p.help.endswith(".") for p in cls.parameters())
