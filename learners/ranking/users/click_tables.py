"""Chances of a click, and of leaving after it, that depend on the grade alone: the tables of the literature.

Online learning to rank has simulated its users by the same four kinds of behaviour since Hofmann, Whiteson & de Rijke,
*Balancing Exploration and Exploitation in Listwise and Pairwise Online Learning to Rank for Information Retrieval*,
Information Retrieval 16, 2013. The numbers here are those of Oosterhuis & de Rijke, *Differentiable Unbiased Online
Learning to Rank*, CIKM 2018, for grades 0 to 2 and 0 to 4, whose perfect user never leaves early. The almost random
user is that of Schuth et al., *Multileave Gradient Descent for Fast Online Learning to Rank*, WSDM 2016. Work on
bandits in click models has a perfect user who leaves after the first click, as `cascade` does.
"""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import Hidden

PERFECT, NAVIGATIONAL, INFORMATIONAL, ALMOST_RANDOM = "perfect", "navigational", "informational", "almost random"

Chances = tuple[tuple[float, ...], tuple[float, ...]]  # of a click, and of leaving after a click, from grade 0 on
TABLES: dict[int, dict[str, Chances]] = {
    2: {
        PERFECT: ((0.0, 0.5, 1.0), (0.0, 0.0, 0.0)),
        NAVIGATIONAL: ((0.05, 0.5, 0.95), (0.2, 0.5, 0.9)),
        INFORMATIONAL: ((0.4, 0.7, 0.9), (0.1, 0.3, 0.5)),
        ALMOST_RANDOM: ((0.4, 0.5, 0.6), (0.5, 0.5, 0.5)),
    },
    4: {
        PERFECT: ((0.0, 0.2, 0.4, 0.8, 1.0), (0.0, 0.0, 0.0, 0.0, 0.0)),
        NAVIGATIONAL: ((0.05, 0.3, 0.5, 0.7, 0.95), (0.2, 0.3, 0.5, 0.7, 0.9)),
        INFORMATIONAL: ((0.4, 0.6, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.4, 0.5)),
        ALMOST_RANDOM: ((0.4, 0.45, 0.5, 0.55, 0.6), (0.5, 0.5, 0.5, 0.5, 0.5)),
    },
}
MOST_GRADES = 5  # grades of the longest table
CLICK, STOP, END = (
    0,
    MOST_GRADES,
    2 * MOST_GRADES,
)  # where the chances begin in the table at the end of a user's numbers


def chances(behaviour: str, top_grade: int | None) -> Array:
    """Return the chances of a click and of leaving after one, (2, 5), for grades from 0; 0 above the scale.

    Grade 1 of the scale 0 to 1 is read as grade 2 of the scale 0 to 2.

    Raises
    ------
    ValueError : for a scale that has no table.

    >>> chances("navigational", 2)
    array([[0.05, 0.5 , 0.95, 0.  , 0.  ],
           [0.2 , 0.5 , 0.9 , 0.  , 0.  ]])
    >>> chances("navigational", 1)[0]
    array([0.05, 0.95, 0.  , 0.  , 0.  ])
    """
    if top_grade not in (1, *TABLES):
        raise ValueError(f"there are chances of clicks for grades up to 1, 2 and 4, not up to {top_grade}")
    found = np.array(TABLES[2 if top_grade == 1 else top_grade][behaviour])
    found = found[:, [0, 2]] if top_grade == 1 else found
    return np.pad(found, ((0, 0), (0, MOST_GRADES - found.shape[1])))


@compiled
def chance(hidden: Hidden, first: int, document: int) -> float:
    """Return the chance, CLICK or STOP, of a document's grade by the table at the end of the user's numbers."""
    table = hidden.numbers[len(hidden.numbers) - END :]
    return table[first + min(max(int(hidden.grades[document]), 0), MOST_GRADES - 1)]
