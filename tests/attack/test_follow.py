"""The channel of classes on a real server: other sites, large messages, floods, codes and classes without end."""

import pytest

from tests.attack import follow
from tests.conftest import ALWAYS_LATER


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("FEEDBACK_LAB_OPERATOR", follow.KEY)
    process, address = follow.start_server(tmp_path_factory.mktemp("data"))
    patch.undo()
    yield follow.Server(address, process.pid)
    process.kill()
    process.wait()


ATTACKS = [
    pytest.param(attack, id=attack.__name__, marks=ALWAYS_LATER if attack.__name__ == "floods" else ())
    for attack in follow.ATTACKS
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_channel_of_classes_withstands(server, attack):
    assert follow.judge(server, attack, "a seed") == (follow.FINE, "")


def test_pages_work_as_before(server):
    """The limits are those of browsers, not of what a page is sent."""
    import asyncio

    from tests.benchmarks.bench_class import Person

    person = Person(server.address, "seed=7&steps=200")

    async def visit():
        await person.come()
        await person.go()

    asyncio.run(visit())
    assert person.complete and person.bytes > 100_000
