"""The first visit, with nothing cached: what is loaded, and what is left until somebody asks for it."""

from urllib.parse import urlsplit

from tests.browser.conftest import PATIENCE, Visitor

MOST = 4.2e6  # bytes of a lab


def test_a_first_visit_asks_no_other_host_and_leaves_what_is_not_shown(browser, server):
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    browser_alone = type("Alone", (), {"profile": context})  # a profile without a cache
    me = Visitor(browser_alone, server)
    done = []
    me.page.on("request", lambda request: done.append(request))
    me.page.goto(server + "/stability")
    export = me.page.get_by_text("Export: a film that plays offline")
    export.wait_for()
    me.page.wait_for_function("document.querySelectorAll('.js-plotly-plot .main-svg').length > 2")
    me.page.wait_for_timeout(1000)
    hosts = {urlsplit(request.url).netloc for request in done if request.url.startswith("http")}
    assert hosts == {urlsplit(server).netloc}
    assert not [request.url for request in done if "SyntaxHighlighter" in request.url]
    assert sum(request.sizes()["responseBodySize"] for request in done if request.response()) < MOST
    export.click()
    link = f"{server}/stability?bounds=false"  # who comes without a link sees no bounds, and gives on what was seen
    me.page.get_by_text(link, exact=True).wait_for()
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Setup as Python script").click()
    script = download.value.path().read_text("utf-8")
    assert "--library PATH" in script and f"\n{link}\n" in script
    context.close()
