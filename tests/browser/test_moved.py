"""Former addresses of pages open what they opened, in a browser, and Back leaves them."""

import pytest


@pytest.mark.parametrize(
    ("former", "there", "shows"),
    [
        ("/interleaving?noise=0.3&queries=100&steps=40&replicates=2&method=balanced",
         "/stability?mode=interleaved&noise=0.3&queries=100&steps=40&replicates=2&method=balanced",
         "Share of comparisons won"),
        ("/interleaving?steps=40&embed=true", "/stability?mode=interleaved&steps=40&embed=true",
         "Share of comparisons won"),
        ("/lower_bound?horizon=50&learner=batch-perceptron&k-1=5&sees=nothing&seed=3",
         "/coactive?mode=lower-bound&horizon=50&learner=batch-perceptron&k-1=5&sees=nothing&seed=3",
         "Average regret at T"),
        ("/data?family=multilabel&dataset=multilabel-synthetic&examples=300",
         "/catalogue?show=data&family=multilabel&dataset=multilabel-synthetic&examples=300", "Labels per example"),
        ("/algorithms?learner=banditron", "/catalogue?learner=banditron", "Race it in the bandit lab"),
        ("/algorithms", "/catalogue", "Feedback it needs"),
        ("/published?paper=S", "/figures?statements=true&paper=S", "Raman"),
    ],
)  # fmt: skip
def test_a_former_address_opens_what_it_opened(visit, former, there, shows):
    me = visit("/runs").go(former).settle()
    me.wait_until(lambda: shows in me.text)
    here, _, query = me.url.removeprefix(me.address).partition("?")
    page, _, asked = there.partition("?")
    assert here == page and {*query.split("&")} <= {*asked.split("&")}, "what is left out is at its default"
    assert "is not a setting of this page" not in me.text
    me.page.go_back()
    me.wait_until(lambda: me.url.endswith("/runs"))
