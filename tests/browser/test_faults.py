"""Faults while a page is open: the server is killed, stops for a while, or cannot be reached."""

import signal
from types import SimpleNamespace

import pytest

from tests.browser.conftest import COUNT, PATIENCE, Visitor, start_server

LAB = "/stability?steps=400&replicates=3"


@pytest.fixture
def own(browser, tmp_path):
    """A server and a window of their own; returns the visitor and how to kill the server and start it anew."""
    process, address = start_server(tmp_path)
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(COUNT)
    me = Visitor(SimpleNamespace(profile=context), address)
    running = [process]

    def kill():
        running[0].kill()
        running[0].wait(10)

    def start():
        running[0], _ = start_server(tmp_path, port=int(address.rsplit(":", 1)[1]))

    yield SimpleNamespace(me=me, kill=kill, start=start, send=lambda what: running[0].send_signal(what))
    context.close()
    running[0].send_signal(signal.SIGCONT)
    kill()
    assert not me.failures, me.failures


def test_a_film_plays_to_its_end_although_the_server_is_killed(own):
    me = own.me.go(LAB).charts().computed(400)
    run, curves = me.run, me.curves()
    me.play()
    me.wait_until(lambda: me.t > 5)
    own.kill()
    me.wait_until(lambda: me.t == 400 and me.state == "finished")
    own.start()
    me.wait_until(lambda: me.page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]").count() == 1)
    me.settle()
    assert (me.run, me.t) == (run, 400) and me.curves() == curves
    me.do("reset").at(0).step()


def test_a_run_whose_server_dies_while_it_computes_is_computed_by_the_next(own):
    me = own.me.go("/stability?steps=20000&replicates=20").charts()
    me.wait_until(lambda: int(me.page.locator(".fl-player").first.get_attribute("data-reached") or 0) > 0)
    run = me.run
    own.kill()
    own.start()
    before = int(me.page.locator(".fl-player").first.get_attribute("data-reached"))
    me.page.evaluate("globalThis.payload = document.querySelector('.fl-player').player.payload, 0")
    me.wait_until(lambda: me.page.evaluate("document.querySelector('.fl-player').player.payload !== payload"))
    me.computed(min(before + 1, 20000))
    assert me.run == run


def test_a_network_that_is_cut_does_not_stop_the_film_and_settings_work_afterwards(own):
    me = own.me.go(LAB).charts().computed(400)
    me.play()
    me.wait_until(lambda: me.t > 5)
    me.page.context.set_offline(True)
    me.wait_until(lambda: me.state == "finished" and me.t == 400)
    me.page.context.set_offline(False)
    run = me.run
    me.page.goto(me.url + "&seed=3")
    me.charts().computed(400)
    assert me.run != run


def test_a_server_that_stops_for_some_seconds_is_waited_for(own):
    me = own.me.go(LAB).charts().computed(400)
    me.play()
    me.wait_until(lambda: me.t > 5)
    own.send(signal.SIGSTOP)
    begun = me.t
    me.wait_until(lambda: me.t > begun + 20)
    me.page.wait_for_timeout(4000)
    own.send(signal.SIGCONT)
    me.wait_until(lambda: me.state == "finished")
    me.do("reset").at(0).step()
