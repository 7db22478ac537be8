"""One query of a larger data set, whose documents are offered again and again."""

from dataclasses import dataclass, replace

from datasets.bundled.digits_search import DigitsSearch
from datasets.made.web_search import WebSearch
from datasets.parameters import choice, integer
from datasets.ranking import RankingData, RankingDataset, Size

SOURCES: dict[str, type[RankingDataset]] = {"web-search": WebSearch, "digits-search": DigitsSearch}
QUERIES = 100  # of the source, from which one is taken


@dataclass(kw_only=True)
class OneList(RankingDataset):
    """One query of synthetic web search, or of the search among digits, as a list that every step offers.

    The source has 100 queries and otherwise its defaults; the true weights are those of all its queries. Any other
    ranking data become such a list by `RankingData.one_list(query)`.

    >>> data = OneList(query=3).build()
    >>> data.features.shape, data.fixed_candidates
    ((20, 50), True)
    """

    id = "one-list"
    order = 35
    title = "One list of a search"
    summary = (
        "One query of the synthetic web search, or of the search among digits, offered again and again. Learners that "
        "keep numbers of each document have something to tell apart here: several good documents, and grades."
    )
    paper = "after Shivaswamy and Joachims, Coactive Learning, JAIR 53, 2015"
    section = "§6.1.1, one query"
    fixed_candidates = True

    source: str = choice("web-search", SOURCES, help="The data set from which the query is.")
    query: int = integer(1, 1, QUERIES, help="Number of the query. Another one offers other documents.")
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the source; another seed gives other documents.")

    def size(self) -> Size:
        size: Size = self._source().size()
        return replace(size, queries=1, bytes=8 * size.documents * (size.features + 1))

    def build(self) -> RankingData:
        data: RankingData = self._source().build()
        return replace(data.one_list(self.query - 1), id=self.id, params=self.params)

    def _source(self) -> RankingDataset:
        return SOURCES[self.source].make(queries=QUERIES, data_seed=self.data_seed)
