"""The gallery of demos, each a link into a lab with everything set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from datasets.parameters import Parameter
from pages.ui.form.links import choice_of

FIRST, FURTHER, RESEARCH = LEVELS = ("first steps", "further", "for researchers")  # as lessons have them


@dataclass(frozen=True)
class Demo:
    """A card on the home page.

    The link names the demo, and so does the address that the lab writes, so that who is sent it reads the text as well.

    group : the topic by which the gallery is filtered. level : one of `LEVELS`. minutes : to read, play and look.
    turn : key of the knob that it is about, whose response curve is there at once.
    picture : id of the chart on the card, or "" for the first one. stands_for : settings of the picture that differ
    from the demo's, such as a simulated user where the demo waits for a person.
    """

    id: str
    title: str
    text: str
    page: str
    settings: dict[str, str]
    group: str = "Rankings"
    level: str = FURTHER
    minutes: int = 3
    turn: str = ""
    picture: str = ""
    stands_for: Mapping[str, str] = field(default_factory=dict)

    @property
    def link(self) -> dict[str, str]:
        """Return the query of the link into the lab."""
        return {"demo": self.id} | self.settings


_STABILITY = "pages/stability.py"
_COACTIVE = "pages/coactive.py"
_BANDIT, _RIGHT_OR_WRONG = "pages/bandit.py", "Right or wrong"
_MULTILABEL, _SETS = "pages/multilabel.py", "Sets of labels"
_CLASSES, _FEW = "pages/semi_supervised.py", "Boosting"
_LETOR, _FEEDBACK = "pages/learning_to_rank.py", "pages/refinement.py"
_SWEEP, _PARAMETERS = "pages/sweep.py", "Sweeps"

DEMOS = (
    Demo(
        "flip",
        "Watch a perceptron flip",
        "Ten documents, one of them good, and a user who misjudges one document in five. In this single run the "
        "preference perceptron drops the good document to the last place again and again. The perturbed perceptron "
        "(3PR) swaps some neighbours before it shows its list, and keeps the good document at the top. The next event "
        "(key N) is the first fall.",
        _STABILITY,
        {
            "feedback-1": "swap", "replicates": "1", "window": "1", "speed": "50", "steps": "500",
            "charts": "rank-of-best,flips,average-regret,swap-probability", "bounds": "false",
        },
        level=FIRST, minutes=2,
    ),
    Demo(
        "digit",
        "A search engine for one digit",
        "The user looks for the digit 3 among twenty handwritten images. Below the charts the weights turn into a "
        "picture of it. The picture is clear for the perturbed perceptron and noisy for the one that moves clicked "
        "images to the top.",
        _STABILITY,
        {
            "dataset": "digits-search", "topic": "3", "user": "scan", "learner-1": "perturbed-perceptron",
            "learner-2": "preference-perceptron", "replicates": "10", "speed": "10",
            "charts": "ndcg,top10-overlap,weight-maps",
        },
        level=FIRST, minutes=3, picture="weight-maps",
    ),
    Demo(
        "perturbation",
        "How much perturbation is enough?",
        "The perceptron that moves clicked images to the top meets 3PR with swap probability 0.1, with 0.5, and with "
        "one that it sets itself (Proposition 6). All four see the same queries and the same noise. A little "
        "perturbation is enough. Swapping half of the pairs still learns well but makes the presented rankings worse.",
        _STABILITY,
        {
            "dataset": "digits-search", "user": "scan", "swap_probability-2": "0.1",
            "learner-3": "perturbed-perceptron", "learner-4": "perturbed-perceptron", "dynamic-4": "true",
            "steps": "2000", "replicates": "10", "charts": "ndcg,swap-probability,affirmativeness,top10-overlap",
            "window": "100",
        },
        level=FURTHER, minutes=4,
    ),
    Demo(
        "theory",
        "When feedback is honest, theory holds",
        "This user always improves the ranking by half of what is possible. The regret stays far below the bound of "
        "Theorem 1 and falls at least as fast as 1/√T. On logarithmic axes a power law is a straight line.",
        _STABILITY,
        {
            "dataset": "web-search", "user": "strict-alpha", "learner-2": "random-ranking", "x_log": "true",
            "y_log": "true", "steps": "2000", "replicates": "10", "charts": "average-regret,cumulative-regret",
        },
        level=FURTHER, minutes=4,
    ),
    Demo(
        "wrong-start",
        "Calm, but wrong",
        "The perturbed perceptron starts from the wrong belief. Neighbours at the bottom of the list have nearly "
        "equal discounts, so swapping them teaches little. The good document stays at rank 10 for more than two "
        "thousand steps and reaches the top only after several thousand.",
        _STABILITY,
        {
            "initial_weights": "-1,1", "feedback-1": "swap", "steps": "6000", "charts": "rank-of-best,average-regret",
            "bounds": "false",
        },
        level=FURTHER, minutes=3,
    ),
    Demo(
        "averaging",
        "Does averaging help?",
        "The textbook cure for noise is to average the weights. It does not help here, because clicks are biased and "
        "not just noisy. The average flips less often but stays wrong for longer, so the mean rank is the same.",
        _STABILITY,
        {
            "learner-1": "preference-perceptron", "feedback-1": "swap", "learner-2": "averaged-perceptron",
            "feedback-2": "swap", "learner-3": "perturbed-perceptron", "charts": "rank-of-best,flips,average-regret",
            "bounds": "false",
        },
        level=FURTHER, minutes=3,
    ),
    Demo(
        "informative",
        "How good must feedback be?",
        "This user looks at the first ten documents only and goes by their grades. Whatever the learner, the regret "
        "falls at first and then levels off at the slack, which is what the feedback lacks. Switch to the strictly "
        "α-informative user, and the regret keeps falling.",
        _COACTIVE,
        {
            "user": "depth", "k": "10", "learner-2": "convex-perceptron", "learner-3": "second-order-perceptron",
            "learner-4": "random-ranking", "x_log": "true", "y_log": "true",
            "charts": "average-regret,alpha,slack,cumulative-regret", "bounds": "false",
        },
        level=RESEARCH, minutes=5,
    ),
    Demo(
        "movies",
        "One movie at a time",
        "A recommender shows one movie at each step and never repeats one. The user names a better movie, and a "
        "perceptron finds out what each user likes. Compare it with random recommendations.",
        _COACTIVE,
        {
            "dataset": "movies", "user": "item-better", "learner-2": "random-ranking", "learner-3": "none",
            "learner-4": "none", "steps": "300", "charts": "average-regret,cumulative-regret", "bounds": "false",
        },
        level=FIRST, minutes=3,
    ),
    Demo(
        "interleaving",
        "Which ranker do the clicks prefer?",
        "A simulated live search engine. Half of the searches teach the learner. The others mix its ranking with "
        "that of a fixed ranker, fitted to five queries, and count whose documents are clicked. Watch the share of "
        "wins pass one half.",
        _STABILITY,
        {"mode": "interleaved", "user": "noisy-grades", "learner-3": "random-ranking", "steps": "1000"},
        level=FURTHER, minutes=4,
    ),
    Demo(
        "price",
        "What it costs to hear only right or wrong",
        "A perceptron that is told the true digit, the Banditron at two rates of exploration, and a Banditron that "
        "adapts its rate, all on the same handwritten digits. Thin lines show the error of what each predicts. The "
        "gap to the thick line is the price of exploring.",
        _BANDIT,
        {
            "learner-2": "banditron", "gamma-2": "0.05", "learner-3": "banditron", "gamma-3": "0.25",
            "learner-4": "adaptive-banditron", "answer": "both", "charts": "accuracy,error-rate,confusion,explored",
        },
        _RIGHT_OR_WRONG,
        level=FIRST, minutes=4,
    ),
    Demo(
        "turn-gamma",
        "Turn γ, find the valley",
        "The Banditron guesses with probability γ. Move the slider “Exploration γ”, and the curves follow. The small "
        "curve below it shows the error at the end for every γ. It is a valley: with too few guesses the learner finds "
        "out nothing, and with too many it never uses what it knows. Where is the bottom?",
        _BANDIT,
        {
            "learner-1": "banditron", "gamma-1": "0.02", "learner-2": "none", "learner-3": "none",
            "learner-4": "none", "charts": "error-rate,accuracy,explored",
        },
        _RIGHT_OR_WRONG,
        level=FIRST, minutes=2, turn="gamma-1",
    ),
    Demo(
        "figure-1",
        "A long plateau, then a fast fall",
        "Figure 1 of the Banditron paper, on noisy topics and logarithmic axes. With γ = 0.01 the Banditron learns a "
        "little at once, hardly improves for thousands of steps, and then falls fast. With γ = 0.1 it falls steadily "
        "but ends higher.",
        _BANDIT,
        {
            "dataset": "synnonsep", "learner-2": "banditron", "gamma-2": "0.01", "learner-3": "banditron",
            "gamma-3": "0.1", "learner-4": "none", "steps": "100000", "replicates": "5", "x_log": "true",
            "y_log": "true", "window": "1000", "charts": "error-rate,accuracy",
        },
        _RIGHT_OR_WRONG,
        level=RESEARCH, minutes=4,
    ),
    Demo(
        "no-gamma",
        "No γ to tune?",
        "Three rules set the exploration rate from success and failure. The best fixed rate, 0.2, stands beside "
        "them. ag1 counts successes alone and gives up exploring too soon. ag2 and ag3 weigh them against failures "
        "and come close to the best rate without knowing it.",
        _BANDIT,
        {
            "learner-1": "banditron", "gamma-1": "0.2", "learner-2": "adaptive-banditron", "strategy-2": "ag1",
            "learner-3": "adaptive-banditron", "strategy-3": "ag2", "learner-4": "adaptive-banditron",
            "charts": "gamma,error-rate,accuracy,explored",
        },
        _RIGHT_OR_WRONG,
        level=FURTHER, minutes=4,
    ),
    Demo(
        "halving",
        "Finitely many mistakes",
        "Points in sectors of the plane. The halving algorithm removes every hypothesis that errs. It soon makes no "
        "more mistakes and never explores. The Banditron pays for its exploration forever.",
        _BANDIT,
        {
            "dataset": "separable-points", "learner-1": "halving", "levels-1": "9", "learner-2": "banditron",
            "gamma-2": "0.1", "learner-3": "perceptron", "learner-4": "none", "steps": "2000",
            "charts": "mistakes,error-rate,regions", "window": "50", "replicates": "5",
        },
        _RIGHT_OR_WRONG,
        level=FURTHER, minutes=3,
    ),
    Demo(
        "try-out",
        "Show it to find out",
        "This recommender hears only about the labels it shows. If its own uncertainty raises the scores (width 1), "
        "it comes close to the learner with full feedback. With width 0 it never returns to a label that once seemed "
        "unlikely, and stays wrong.",
        _MULTILABEL,
        {
            "density": "0.3", "width-1": "1", "learner-2": "online-binary-relevance", "learner-3": "multilabel-ucb",
            "width-3": "0", "charts": "loss,cumulative-regret,shown-size,width",
        },
        _SETS,
        level=FURTHER, minutes=4,
    ),
    Demo(
        "slots",
        "How many slots?",
        "The same learner with room for 2, 5 and 15 labels. With more room it misses fewer right labels. The loss "
        "that forgives mistakes far down the list falls, but the Hamming loss, which counts every wrong label alike, "
        "is lowest with few slots.",
        _MULTILABEL,
        {
            "density": "0.3", "size-1": "2", "width-1": "1", "learner-2": "multilabel-ucb", "size-2": "5",
            "width-2": "1", "learner-3": "multilabel-ucb", "size-3": "15", "width-3": "1",
            "charts": "hamming-loss,loss,shown-size,cumulative-regret",
        },
        _SETS,
        level=FURTHER, minutes=3,
    ),
    Demo(
        "two-moons",
        "Five labels a moon",
        "Two half moons with ten labels among two hundred points. Each round gives weight to the points whose "
        "neighbours disagree with them. Watch the regions follow the moons, whose shape the labels alone do not tell "
        "a tree.",
        _CLASSES,
        {"learner-2": "nearest-neighbour", "learner-3": "adaboost", "learner-4": "label-spreading", "speed": "2",
         "charts": "regions,accuracy-unlabelled,objective,step-size", "bounds": "false"},
        _FEW,
        level=FIRST, minutes=3,
    ),
    Demo(
        "similarity",
        "What is similar?",
        "Handwritten digits, of which one in twenty is labelled. The same boosting uses three notions of similarity, "
        "namely nearness, identity and none at all. Nearness beats identity by over twenty points. A plain nearest "
        "neighbour does better still.",
        _CLASSES,
        {
            "dataset": "digits", "learner-2": "mcssb", "similarity-2": "absolute", "learner-3": "mcssb",
            "similarity-3": "uniform", "learner-4": "nearest-neighbour", "speed": "10",
            "charts": "accuracy-test,regions,objective,step-size", "bounds": "false",
        },
        _FEW,
        level=FURTHER, minutes=4,
    ),
    Demo(
        "pseudo-labels",
        "When pseudo-labels mislead",
        "ASSEMBLE believes its own guesses, which become the labels of the next round. On ten classes its weak trees "
        "soon err on half of the weight. It stops hardly better than it began. MCSSB also asks the neighbours.",
        _CLASSES,
        {
            "dataset": "digits", "learner-1": "assemble", "learner-2": "mcssb", "learner-3": "self-training",
            "learner-4": "single-tree", "charts": "accuracy-test,weak-error,step-size,accuracy-train",
        },
        _FEW,
        level=FURTHER, minutes=3,
    ),
    Demo(
        "ndcg",
        "Where a straight line fails",
        "Relevance depends on a product of features, which linear learners cannot express. Decision stumps, one a "
        "round, come closer with every round. Look at the features they pick and the documents that weigh most.",
        _LETOR,
        {
            "steps": "100", "charts": "ndcg@5,surrogate,positions,step-size,weights,picked", "bounds": "false",
        },
        _FEW,
        level=FURTHER, minutes=4,
    ),
    Demo(
        "feedback",
        "Relevance feedback, and where the gain comes from",
        "Twenty documents of each query are judged. Every method gains on the whole list, because judged documents "
        "can simply be put in order. The gain on the unjudged documents shows who has learned something.",
        _FEEDBACK,
        {"charts": "gain,gain-unjudged,positions,path"},
        _FEW,
        level=FURTHER, minutes=4, picture="gain-unjudged",
    ),
    Demo(
        "judge-yourself",
        "Be the judge",
        "Fifty handwritten digits are ranked by a single pixel, and you want the 3s. Click the three among the first "
        "fifteen and press Play. Two more lie below. The ranking SVM and Rocchio find them. Ranking refinement is "
        "slower, because it also trusts the pixel. The page knows where they are and shows how well it went.",
        _FEEDBACK,
        {
            "dataset": "digits-search", "user": "person", "query": "10", "judged": "15", "learner-1": "feedback-svm",
            "learner-3": "ranking-refinement", "replicates": "1", "steps": "30", "speed": "5",
            "charts": "gain-unjudged,path",
        },
        _FEW,
        level=FIRST, minutes=3, picture="gain-unjudged", stands_for={"user": "judge"},
    ),
    Demo(
        "how-many-labels",
        "How many labels does it take?",
        "MCSSB on handwritten digits with 2 to 20 % of the labels, as in Fig. 2.1 of the dissertation. The sweep "
        "shows the accuracy after fifty rounds for each share. Press Start.",
        _SWEEP,
        {
            "family": "semi-supervised", "learner": "mcssb", "dataset": "digits", "vary-1": "labelled",
            "from-1": "0.02", "to-1": "0.2", "number-1": "5", "replicates": "5",
        },
        _PARAMETERS,
        level=FURTHER, minutes=3,
    ),
    Demo(
        "valley",
        "Too little, too much",
        "The Banditron's final error on noisy topics for nine rates of exploration forms a valley. With too low a "
        "rate it does not find out what is right, and with too high a rate it keeps guessing. Press Start.",
        _SWEEP,
        {
            "dataset": "synnonsep", "examples": "20000", "vary-1": "gamma", "from-1": "0.005", "to-1": "0.5",
            "steps": "20000",
        },
        _PARAMETERS,
        level=FIRST, minutes=2,
    ),
    Demo(
        "noise-map",
        "Noise against perturbation",
        "3PR on the toy for every combination of click noise and swap probability. The heat map shows the rank at "
        "which the good document is presented. Without swaps a little noise is enough to lose it. Press Start.",
        _SWEEP,
        {
            "family": "ranking", "learner": "perturbed-perceptron", "vary-1": "swap_probability", "from-1": "0",
            "to-1": "0.5", "number-1": "6", "vary-2": "noise", "from-2": "0", "to-2": "0.4", "number-2": "5",
            "steps": "1000", "metric": "rank-of-best",
        },
        _PARAMETERS,
        level=FURTHER, minutes=3,
    ),
)  # fmt: skip


NAME = "demo"  # of the setting that says which demo a link is


def parameter(page: str) -> Parameter:
    """Return the setting that names the demo of a link to a page, such as pages/bandit.py."""
    return choice_of(NAME, "", [demo.id for demo in DEMOS if demo.page == page])
