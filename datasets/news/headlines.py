"""Headlines of the synthetic texts, so that a person can tell what a text is about."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from datasets.base import Array

OWN, OTHER = 4, 2  # most words of a headline from the text's own topic, and from other topics
TOPICS = {
    "space": "orbit rocket moon comet astronaut telescope satellite planet launch mars galaxy shuttle",
    "medicine": "patient doctor vaccine surgery hospital disease nurse clinic symptom therapy dose virus",
    "hockey": "puck goalie rink skate faceoff penalty playoffs stick overtime shootout defenceman Zamboni",
    "cooking": "recipe oven garlic pastry simmer chef butter spice roast flour dessert kitchen",
    "music": "guitar concert melody singer orchestra album chord violin piano festival drummer choir",
    "weather": "storm rainfall forecast drought thunder snowfall flood hurricane frost humidity breeze heatwave",
    "chess": "bishop checkmate pawn rook opening gambit grandmaster knight castling endgame stalemate queen",
    "law": "court judge lawsuit verdict attorney witness appeal jury trial sentence plaintiff statute",
    "gardening": "seed soil compost bloom prune hedge tulip greenhouse weed shrub lawn harvest",
    "railways": "train locomotive platform timetable station railway tunnel conductor signal freight carriage track",
    "banking": "loan interest deposit currency mortgage investor dividend credit bond inflation savings stocks",
    "football": "striker goalkeeper offside corner referee midfielder header league stadium coach kickoff substitute",
    "computers": "software keyboard processor laptop password server compiler memory download browser printer database",
    "theatre": "stage actor rehearsal curtain playwright audience costume comedy tragedy director monologue premiere",
    "mountains": "summit glacier climber avalanche ridge valley crevasse altitude cliff basecamp rope peak",
    "schools": "teacher pupil homework classroom exam blackboard lesson semester grade library tuition curriculum",
    "oceans": "whale coral tide reef shark plankton harbour dolphin current seabed lighthouse sailor",
    "elections": "ballot candidate voter parliament campaign senator poll mayor coalition debate majority party",
    "painting": "canvas portrait gallery sculptor fresco watercolour easel museum exhibition pigment sketch brush",
    "farming": "tractor cattle wheat barn dairy sheep orchard plough crop barley poultry pasture",
}


def headlines(features: Any, labels: Array, keywords: Sequence[Array]) -> tuple[str, ...]:
    """Return a headline for each text, made of words that it holds.

    In turn each topic gives its most frequent keyword that has no spelling yet the next of its words in `TOPICS`. As an
    editor would, a headline names words of the text's own topic first, the heaviest ones, and then a few of others.

    features : (N, d) csr_array. labels : (N,) topic of each text, from 0. keywords : for each topic its word numbers.

    >>> from scipy.sparse import csr_array
    >>> counts = csr_array(np.array([[2.0, 1.0, 0.0, 3.0], [0.0, 0.0, 1.0, 0.0]]))
    >>> headlines(counts, np.array([0, 1]), [np.array([0, 1]), np.array([2, 3])])
    ('orbit, rocket, doctor', 'patient')
    """
    spelled, topic = _spelled(features.shape[1], keywords)
    found = []
    for i, label in enumerate(labels):
        here = slice(features.indptr[i], features.indptr[i + 1])
        words = features.indices[here]
        words = words[np.argsort(-features.data[here], kind="stable")]
        words = words[topic[words] >= 0]
        own = topic[words] == label
        found.append(", ".join(spelled[word] for word in (*words[own][:OWN], *words[~own][:OTHER])))
    return tuple(found)


def _spelled(words: int, keywords: Sequence[Array]) -> tuple[dict[int, str], Array]:
    """Return how words are spelled, by number, and the topic (words,) to which each then belongs, −1 for none."""
    spelled: dict[int, str] = {}
    topic = np.full(words, -1)
    frequent = [iter(np.sort(known).tolist()) for known in keywords]  # words are numbered by falling frequency
    for row in zip(*(text.split() for text in TOPICS.values()), strict=True):
        for k, (word, own) in enumerate(zip(row, frequent, strict=False)):
            free = next((number for number in own if number not in spelled), None)
            if free is not None:
                spelled[free], topic[free] = word, k
    return spelled, topic
