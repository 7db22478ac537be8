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


def test_a_page_that_is_open_survives_a_restart_of_the_server(browser, tmp_path):
    process, address = start_server(tmp_path)
    try:
        me = Visitor(browser, address).go("/stability?steps=200&t=150").computed(200).at(150).told()
        player, curves = "document.querySelector('.fl-player').player", me.curves()
        me.page.evaluate(f"globalThis.old = [{player}, {player}.payload], 0")
        process.kill()
        process.wait(10)
        process, _ = start_server(tmp_path, port=int(address.rsplit(":", 1)[1]))
        me.wait_until(lambda: me.page.evaluate(f"{player}.payload !== old[1] && {player}.payload.complete"))
        me.at(150).told()
        assert me.page.evaluate(f"{player} === old[0]"), "the page never was without its charts"
        assert me.curves() == curves
        me.step()
        me.page.close()
    finally:
        process.terminate()
        process.wait(10)
