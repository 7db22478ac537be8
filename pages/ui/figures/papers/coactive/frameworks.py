"""Coactive Learning [C], the model: Table 1, and what clicks say (Fig. 1)."""

from pages.ui.figures.computed.clicks import CONDITIONS, SEARCHERS, SHOWN, distribution, searchers, shares
from pages.ui.figures.figure import Figure, Metrics, Panel, Series, Size, Steps
from pages.ui.figures.papers.coactive.feedback import PERCEPTRON, TOP_FIVE, web
from pages.ui.figures.statement import Above, Near, Statement, at

_BANDITS, _EXPERTS, _DUELING, _COACTIVE = "Bandits", "Experts", "Dueling Bandits", "Coactive Learning"

_TABLE_1 = Figure(
    "C-tab1", "C", 59, "Table 1", "Four frameworks, by what the learner is told",
    caption=(
        "The paper's table is in words. A bandit pulls an arm and observes its reward. An expert algorithm "
        "pulls an arm and observes the rewards of all arms. A dueling bandit pulls two arms and observes which is "
        "better. A coactive learner pulls an arm and observes another arm that is better. Here each row is run. "
        "Two learners name handwritten digits, where the ten classes are the arms. Two others rank the results of a "
        f"web search, where every ranking is an arm, beside an expert who is told the best ranking. {TOP_FIVE}"
    ),
    panels=(
        Panel(
            "classes", "Ten arms: handwritten digits", (Series(_BANDITS, "banditron"), Series(_EXPERTS, "perceptron")),
            page=Size(10_000), live=Size(2_000, seeds=3), dataset="digits", x=Metrics((("error rate", "error-rate"),)),
            y_title="error rate",
        ),
        web(
            (
                Series(_DUELING, "dueling-bandit"),
                Series(_COACTIVE, PERCEPTRON),
                Series(_EXPERTS, "structured-perceptron", {"optimal": "utility"}, reference=True),
            ),
            "strict-alpha", {"alpha": 0.5}, title="Every ranking is an arm: web search",
            x=Metrics((("average regret", "average-regret"),)), x_title="", paper=None, own=None, stands_for="",
        ),
    ),
    statements=(
        Statement(
            "Bandits observe the reward of the arm pulled, experts the rewards of all arms.",
            "The error rate is {bandit:.3f} for the bandit and {expert:.3f} for the expert.",
            Above("bandit", "expert"), bandit=at("classes", _BANDITS), expert=at("classes", _EXPERTS),
        ),
        Statement(
            "Coactive learning “sits between the expert and the bandit setting”.",
            "Average regret is {expert:.5f} for the expert, {coactive:.5f} for the coactive learner and {dueling:.3f} "
            "for the dueling bandit.",
            Above("dueling", "coactive"), Above("coactive", "expert"), expert=at("web", _EXPERTS),
            coactive=at("web", _COACTIVE), dueling=at("web", _DUELING), where="§2",
        ),
    ),
    table=True,
)  # fmt: skip

_NAMES = Steps(log=False, title="")  # of an axis whose places have names
_WORDS = ("better", "worse")
_CLICKS = tuple(Series(name, PERCEPTRON) for name in (*CONDITIONS, "all"))

_FIGURE_1 = Figure(
    "C-fig1", "C", 136, "Fig. 1", "What clicks say of a ranking",
    caption=(
        "The results that were clicked are put on top of the ranking shown. The curves give the share of searches "
        "whose DCG@10 changes by at most x. The paper asked 16 students, who searched with Google. Here the searchers "
        "are simulated; they look at place i with probability 1/i and err in every fifth judgement. The results are "
        "shown as they are, with the first two swapped, or in reverse order."
    ),
    panels=(
        Panel(
            "gain", "Distribution of the gain", _CLICKS, page=Size(2_000), paper=Size(160, seeds=1),
            live=Size(500, seeds=3), x=Steps(log=False, title="gain in DCG@10"), y_title="share of searches",
            y_range=(0, 1), lab="coactive", computed=distribution, stands_for="a user study with Google",
        ),
        Panel(
            "shares", "Better, worse, equal", _CLICKS, page=Size(2_000), paper=Size(160, seeds=1),
            live=Size(500, seeds=3), x=_NAMES, y_title="share", y_range=(0, 1), lab="coactive", computed=shares,
            stands_for="a user study with Google",
        ),
        Panel(
            "searchers", "Other simulated searchers, all conditions together",
            tuple(Series(word, PERCEPTRON) for word in _WORDS), page=Size(2_000), paper=Size(160, seeds=1),
            live=Size(500, seeds=3), x=_NAMES, y_title="share of searches", y_range=(0, 1), lab="coactive",
            computed=searchers, stands_for="a user study with Google",
        ),
    ),
    statements=(
        Statement(
            "Over all conditions “the utility difference is strictly positive on ∼60 % of all queries, and strictly "
            "negative on only ∼10 %”.",
            "It is positive in {better:.1%} of the searches and negative in {worse:.1%}.",
            Near("better", 0.6, 0.1), Near("worse", 0.1, 0.05), Above("better", "worse"),
            better=at("shares", "all", "better"), worse=at("shares", "all", "worse"), where="§3.2",
        ),
        Statement(
            "“Among the remaining ∼30 % of cases where the DCG@10 difference is zero, 88 % are due to ȳ = y.”",
            "The difference is zero in {equal:.1%} of the searches. In {kept:.1%} of these nothing moved.",
            Near("equal", 0.3, 0.1), Near("kept", 0.88, 0.1), equal=at("shares", "all", "equal"),
            kept=at("shares", "all", "equal, nothing moved"), where="§3.2",
        ),
        Statement(
            "“Users provide accurate preferences across this substantial range of retrieval quality.”",
            "{better0:.1%} of the searches gain and {worse0:.1%} lose if the results are shown as they are. With two "
            "swapped {better1:.1%} gain and {worse1:.1%} lose, and in reverse order {better2:.1%} and {worse2:.1%}.",
            *(Above(f"better{i}", f"worse{i}") for i in range(len(CONDITIONS))),
            values={f"{word}{i}": at("shares", c, word) for word in _WORDS for i, c in enumerate(CONDITIONS)},
            where="§3.2",
        ),
        Statement(
            "A worse retrieval system “makes an easier baseline … to improve upon”.",
            "In reverse order {reversed:.1%} of the searches gain, and {normal:.1%} as the results are.",
            Above("reversed", "normal"), reversed=at("shares", "reversed", "better"),
            normal=at("shares", "normal", "better"), where="§3.2",
        ),
        Statement(
            "“On average, each query chain contained 2.2 queries and 1.8 clicks.”",
            "A search is a single query here, with {clicks:.2f} clicks.",
            Near("clicks", 1.8, 0.9), clicks=at("shares", "all", "results clicked") * SHOWN, where="§3.2",
        ),
        Statement(
            "“Overall, this shows that implicit feedback can indeed produce accurate preferences.”",
            "Of the searches by somebody who stops at the first click {better1:.1%} gain and {worse1:.1%} lose. For "
            "one who reads all ten results it is {better2:.1%} and {worse2:.1%}, and for one who clicks the five that "
            "seem best {better3:.1%} and {worse3:.1%}.",
            *(Above(f"better{i}", f"worse{i}") for i in range(len(SEARCHERS))),
            values={f"{word}{i}": at("searchers", word, name) for word in _WORDS for i, name in enumerate(SEARCHERS)},
            where="§3.2",
        ),
    ),
    why=(
        "The best linear ranker orders these results nearly as well as can be, so that a click on a lower place mostly "
        "lifts a document above better ones that were not looked at or were misjudged. The results of the study left "
        "more to improve, and the paper also lifts what was clicked after a later query of the same search, from "
        "outside the ten. Searchers with a second query and an engine that errs give about the printed shares, as the "
        "causes tell. In reverse order, where much can be improved, clicks help here as they do there."
    ),
    chosen="The panel with other searchers and its statement were added after the first result was seen.",
)  # fmt: skip

FIGURES: tuple[Figure, ...] = (_TABLE_1, _FIGURE_1)
