"""Limits the memory used by uploads, which Streamlit holds while a page is open.

A single file is bounded by `server.maxUploadSize`. Here the files of one visit are bounded together, and those of all.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from fractions import Fraction

from starlette.responses import Response

from datasets.variables import RAM_MB, Variable
from pages.ui.server.headers import Receive, Scope, Send, Wrapper
from pages.ui.server.sessions import connected

MEMORY_MB = Variable(
    "FEEDBACK_LAB_UPLOADS_MEMORY_MB", "integer", 1000, 1, 10_000_000, of=RAM_MB, share=Fraction(1, 7), deprecated=True,
    help="Memory in MB for the files that open pages have sent. A visit may have a third of it.",
)  # fmt: skip
PLACE = "/_stcore/upload_file/"  # where Streamlit takes files: session, then the file's id


_refused: set[str] = set()  # sessions whose page has yet to say that a file was not kept


class UploadLimit(Wrapper):
    """Lets a file through if it fits into the limit. Else it is discarded as it comes, and the page says so.

    An answer that tells of an error would show as "AxiosError: Request failed with status code 413".
    """

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        super().__init__(app)
        self.coming: Counter[str] = Counter()  # bytes on their way, by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or PLACE not in scope["path"]:
            await self.app(scope, receive, send)
            return
        session = scope["path"].split(PLACE, 1)[1].split("/", 1)[0]
        size = _size(scope)
        mine, all = held(session)
        most = 1e6 * MEMORY_MB.value
        full = mine + self.coming[session] + size > most / 3 or all + self.coming.total() + size > most
        if full and size <= _largest() and connected(session):
            _refused.add(session)
            await _throw_away(receive)
            await Response(status_code=204)(scope, receive, send)
            return
        self.coming[session] += size
        try:
            await self.app(scope, receive, send)
        finally:
            self.coming[session] -= size
            self.coming += Counter()  # forgets those who have nothing on its way


def was_refused(session: str) -> bool:
    """Return whether a file of this session was not kept, once."""
    try:
        _refused.remove(session)
    except KeyError:
        return False
    return True


def held(session: str) -> tuple[int, int]:
    """Return the bytes of files that Streamlit holds of a session, and of all sessions."""
    from streamlit.runtime import Runtime

    if not Runtime.exists():
        return 0, 0
    files = dict(getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {}))
    sizes = {name: sum(len(file.data) for file in list(own.values())) for name, own in files.items()}
    return sizes.get(session, 0), sum(sizes.values())


async def _throw_away(receive: Receive) -> None:
    left = _largest()
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if not message.get("more_body"):
            return


def _size(scope: Scope) -> int:
    """Return the bytes that a request says it has, as many as are allowed where it does not say."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if said.isdigit() else _largest()


def _largest() -> int:
    """Return the bytes that a request with one file may have: the file, and the words around it."""
    from streamlit import config

    return int(config.get_option("server.maxUploadSize")) * 1024 * 1024 + 100_000
