"""The limits of a run, a session and all sessions on the server, and the sentences of the queue."""

from fractions import Fraction

from datasets.variables import RAM_MB, Variable
from learners.run.cost import Cost
from pages.ui.counting import counted, duration
from pages.ui.plain import Markdown, plain

RUN_SECONDS = Variable(
    "FEEDBACK_LAB_RUN_SECONDS", "integer", 3600, 1, 10_000_000, formerly=("FEEDBACK_LAB_SWEEP_SECONDS",),
    help="Seconds of one core that a run may take, in a lab or as a sweep, by its estimate.",
)  # fmt: skip
RUN_MB = Variable(
    "FEEDBACK_LAB_RUN_MB", "integer", 1000, 20, 1_000_000, formerly=("FEEDBACK_LAB_SWEEP_MB",),
    of=RAM_MB, share=Fraction(1, 7), deprecated=True,
    help="Memory in MB that the run of a lab may take, without its data, or one process of a sweep, with them.",
)  # fmt: skip
KEEP_SECONDS = Variable(
    "FEEDBACK_LAB_KEEP_SECONDS", "real", 300.0, 1, 1e6, deprecated=True,
    help="Seconds after which a run of a lab that nobody has asked for is evicted from memory.",
)  # fmt: skip
MEMORY_MB = Variable(
    "FEEDBACK_LAB_MEMORY_MB", "integer", 1000, 1, 10_000_000, of=RAM_MB, share=Fraction(1, 7), deprecated=True,
    help="Memory in MB for the runs of all people, with their data. The oldest are evicted first and are computed anew "
    "when somebody asks for them.",
)  # fmt: skip
PEOPLE = Variable(
    "FEEDBACK_LAB_PEOPLE", "integer", 40, 1, 100_000,
    help="Most people whose lab runs are computed at once; others queue.",
)  # fmt: skip
STEP_SECONDS = Variable(
    "FEEDBACK_LAB_STEP_SECONDS", "real", 20.0, 0.1, 1e6, deprecated=True,
    help="Seconds that one step may take in a lab; after that the page says so, and the person may abandon the run.",
)  # fmt: skip
FREE_MB = Variable(
    "FEEDBACK_LAB_FREE_MB", "integer", 300, 0, 10_000_000, deprecated=True,
    help="Free memory in MB below which no run begins in a lab while another is computed.",
)  # fmt: skip
JOBS = Variable(
    "FEEDBACK_LAB_JOBS", "integer", 3, 1, 1000, deprecated=True,
    help="Sweeps and figures of all people that are computed at once; others queue. Of several places, one is kept for "
    "runs of at most a minute.",
)  # fmt: skip
JOBS_MB = Variable(
    "FEEDBACK_LAB_JOBS_MB", "integer", 4000, 1, 10_000_000, of=RAM_MB, share=Fraction(4, 7), deprecated=True,
    help="Memory in MB that the sweeps and figures computed at once may take together.",
)  # fmt: skip
JOBS_WAITING = Variable(
    "FEEDBACK_LAB_JOBS_WAITING", "integer", 100, 0, 100_000, deprecated=True,
    help="Sweeps and figures that may wait in the queue.",
)  # fmt: skip
PERSON_JOBS = Variable(
    "FEEDBACK_LAB_PERSON_JOBS", "integer", 4, 1, 1000, deprecated=True,
    help="Sweeps, figures and downloads of one person that may wait or run at once.",
)  # fmt: skip
PERSON_MINUTES = Variable(
    "FEEDBACK_LAB_PERSON_MINUTES", "real", 120.0, 0.01, 1e6, of=RUN_SECONDS, share=Fraction(1, 30), deprecated=True,
    help="Minutes of one core that the sweeps and figures of one person may take together before they have ended.",
)  # fmt: skip
AWAY_SECONDS = Variable(
    "FEEDBACK_LAB_AWAY_SECONDS", "real", 120.0, 0.1, 1e6, deprecated=True,
    help="Seconds after which a sweep or figure ends if all pages that show it have been closed.",
)  # fmt: skip

LOWER = "the steps, the replicates, the number of values or the size of the data"


def ordinal(n: int) -> str:
    """Return a place in words.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 113, 1002)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '113th', '1,002nd']
    """
    end = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{end}"


def waits(place: int, begun: bool = False) -> Markdown:
    """Return the sentence for a run that waits.

    >>> waits(1)
    'Waiting for a place on this server. Your run is next and begins by itself.'
    >>> waits(2, begun=True)
    'Waiting for a place on this server. Your run is 2nd in the queue and goes on by itself.'
    """
    which = "next" if place == 1 else f"{plain(ordinal(place))} in the queue"
    goes = "goes on" if begun else "begins"
    return Markdown(f"Waiting for a place on this server. Your run is {which} and {goes} by itself.")


def compiles(seconds: int) -> Markdown:
    """Return the sentence for a page that has waited for the compiler for some seconds.

    >>> compiles(12)
    'Compiling the algorithms, once for this computer. It takes about half a minute (12 s so far); then the run starts.'
    """
    so_far = f"about half a minute ({seconds} s so far)"
    return Markdown(f"Compiling the algorithms, once for this computer. It takes {so_far}; then the run starts.")


def too_much(
    cost: Cost, what: str = "This run", unit: str = "step", lower: str = LOWER, most_step: float = float("inf")
) -> str:
    """Return a sentence if a run costs more than the server allows for one, else "".

    what : the run, as the beginning of a sentence. lower : what to lower. most_step : seconds that a step may take.

    >>> too_much(Cost(seconds=9000), lower="the steps")
    'This run would compute for about 2.5 h on one core; this server allows 60 min. Lower the steps.'
    """
    if cost.bytes > 1e6 * RUN_MB.value:
        return (
            f"{what} would take about {cost.bytes / 1e6:,.0f} MB of memory; this server allows {RUN_MB.value:,} MB. "
            f"Lower {lower}."
        )
    if cost.step > most_step:
        return (
            f"{what} would take up to {duration(cost.step)} for a single {unit}; this server allows "
            f"{duration(most_step)}. Lower {lower}."
        )
    if cost.seconds > RUN_SECONDS.value:
        return (
            f"{what} would compute for about {duration(cost.seconds)} on one core; this server allows "
            f"{duration(RUN_SECONDS.value)}. Lower {lower}."
        )
    return ""


def too_much_of_a_session(cost: Cost, others: list[Cost]) -> str:
    """Return a sentence if a session with these other jobs may not have one more, else ""."""
    minutes = (cost.seconds + sum(other.seconds for other in others)) / 60
    if cost.bytes > 1e6 * JOBS_MB.value:
        return (
            f"This run would take about {cost.bytes / 1e6:,.0f} MB of memory; this server has {JOBS_MB.value:,} MB for "
            f"all runs in its queue. Lower {LOWER}."
        )
    if len(others) >= PERSON_JOBS.value:
        have = "has" if len(others) == 1 else "have"
        return f"You have {counted(len(others), 'run')} here that {have} not ended; cancel one or wait."
    if minutes > PERSON_MINUTES.value:
        more = " with your others" if others else ""
        return (
            f"This run would compute{more} for about {minutes:,.3g} minutes on one core; this server allows one person "
            f"{PERSON_MINUTES.value:,g}. Lower {LOWER}."
        )
    return ""


def full(waiting: int) -> str:
    """Return the sentence for a queue in which as many wait as may."""
    return f"The queue of this server is full ({counted(waiting, 'run')}); try again later."


def broke_off(error: Exception, fault: bool) -> str:
    """Return what ended a run, in one sentence. fault : whether nobody foresaw it, so that it says little to a person.

    >>> broke_off(ValueError("there is no metric 'x'"), fault=False)
    "This run broke off: there is no metric 'x'."
    """
    if isinstance(error, MemoryError):
        return "This run needs more memory than the server has. Lower the steps or the replicates."
    said = " ".join(str(error).split()).rstrip(".")
    if fault or not said:
        words = f"{type(error).__name__}: {said}"[:200]
        return f"This run broke off at a fault of the app, which the server's log holds ({words})."
    said = said if len(said) <= 300 else f"{said[:300]}…"
    return f"{said}." if said[0].isupper() else f"This run broke off: {said}."
