"""The applications around Streamlit's, the outermost first, as `st.App` takes them."""

from starlette.middleware import Middleware

from pages.ui.server.headers import Headers
from pages.ui.server.hosts import Hosts
from pages.ui.server.sizes import Sizes
from pages.ui.server.upload_limit import UploadLimit

MIDDLEWARE = [Middleware(kind) for kind in (Sizes, Headers, Hosts, UploadLimit)]
