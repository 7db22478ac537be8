"""A server that has just started."""

from tests.browser.conftest import Visitor, start_server


def test_a_link_to_a_page_works_on_a_server_that_has_just_started(browser, tmp_path):
    process, address = start_server(tmp_path)
    try:
        me = Visitor(browser, address).go("/stability?documents=7")
        me.wait_until(lambda: me.page.get_by_test_id("stTopNavSection").count() > 2)  # the bar with all pages
        me.wait_until(lambda: me.page.title() == "Feedback Lab")
        me.charts().at(0).step()
        me.page.close()
    finally:
        process.terminate()
        process.wait(10)
