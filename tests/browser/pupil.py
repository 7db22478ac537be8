"""A person who goes through a lesson, as its file declares it, in a browser window."""

import re

import numpy as np

from pages.ui.lessons.facts import Runs, setup_of
from pages.ui.lessons.series import places
from pages.ui.lessons.words import line_to_html, to_html

LESSON = "document.querySelector('.fl-lesson').lesson"
# marks that can be seen, beyond the playhead; what the card itself points at and names is no secret
AHEAD = """() => [...document.querySelectorAll('.fl-mark')].filter(mark => Number(mark.dataset.t) > flT()
  && !mark.matches('.fl-pointed') && mark.checkVisibility({ visibilityProperty: true })).map(mark => mark.dataset.t)"""
T = """globalThis.MAIN = '[data-testid=stMain]';
globalThis.flT = () => Number(document.querySelector('.fl-player')?.dataset.t ?? -1);"""
# words as they are read: formulas apart, in which what is seen and what is spoken differ
READ = """place => {
  const copy = (typeof place === 'string' ? Object.assign(document.createElement('div'), { innerHTML: place })
    : place.cloneNode(true));
  copy.querySelectorAll('math, .katex, svg').forEach(formula => formula.remove());
  copy.querySelectorAll('p, h3, li').forEach(block => block.append(' '));
  return copy.textContent.split(/\\s+/).filter(Boolean).join(' ');
}"""


class Pupil:
    """Reads one card after the other, answers what it asks, does what it waits for, and goes on.

    lesson : of the library. right : whether the answers are those that come out, or others.
    """

    def __init__(self, visitor, lesson, right, look=lambda pupil, when: None):
        self.me, self.page, self.lesson, self.right, self.look = visitor, visitor.page, lesson, right, look
        self.page.evaluate(T)
        self.runs = Runs()

    # ---- what is seen

    def words(self, place):
        """The words at a place of the card."""
        return self.page.locator(f".fl-card {place}").first.evaluate(READ)

    def meant(self, text, line=False):
        """The words of a text of the lesson's file."""
        return self.page.evaluate(READ, line_to_html(text) if line else to_html(text))

    def can(self, name):
        """Whether a button of the card can be pressed."""
        button = self.page.locator(f".fl-card [data-do={name}]")
        return button.count() > 0 and button.is_visible() and button.get_attribute("aria-disabled") != "true"

    def press(self, name):
        self.me.wait_until(lambda: self.can(name))
        self.click(self.page.locator(f".fl-card [data-do={name}]"))

    def click(self, place):
        """Click with the mouse; the page moves no further than it must."""
        place.wait_for()
        place.evaluate("element => element.scrollIntoView({ block: 'nearest' })")
        box = self.at_rest(place)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def at_rest(self, place):
        """The box of a place, once it stands still: the page may be scrolling to it smoothly."""
        boxes = [None, place.bounding_box()]

        def stands():
            boxes[:] = boxes[1], place.bounding_box()
            return boxes[0] == boxes[1]

        self.me.wait_until(lambda: (self.page.wait_for_timeout(100), stands())[1])
        return boxes[1]

    @property
    def t(self):
        return self.me.t

    # ---- card by card

    def go_through(self):
        """Go from the first card to the last one."""
        for index in range(len(self.lesson.cards)):
            self.read(index)
            self.do(index)
            if index + 1 < len(self.lesson.cards):
                self.press("next")

    def read(self, index):
        """Wait until a card is open and its run is there; it says and points at what its file says."""
        card = self.card = self.lesson.cards[index]
        count = len(self.lesson.cards)
        self.me.wait_until(lambda: self.words("h2") == f"Card {index + 1} of {count}: {card.title}")
        self.me.wait_until(lambda: self.page.evaluate(f"{LESSON}.arranged"))
        assert self.words(".fl-c-text") == self.meant(card.text)
        if card.point:
            self.page.wait_for_selector(".fl-pointed")
        self.look(self, "read")

    def do(self, index):
        """Do what the card asks for."""
        card = self.card
        if card.ask is not None:
            self.answer()
        if card.hand is not None:
            self.judge()
        elif card.done.startswith("changed:"):
            assert not self.can("next")
            self.change()
            if card.play is not None:
                assert not self.can("next"), "what comes of it is not seen yet"
                self.play()
        elif card.done == "event":
            assert not self.can("next")
            self.me.key("n")
        elif card.ask is None and card.play is not None:
            assert self.can("next") == (card.done == "read")
            self.play()
        if index + 1 < len(self.lesson.cards):
            self.me.wait_until(lambda: self.can("next"))
        if card.found is not None:
            begin, end = self.meant(card.found.text.replace("{}", "§")).split("§")
            self.me.wait_until(lambda: self.words(".fl-c-outcome").endswith(end))
            assert self.words(".fl-c-outcome").startswith(begin)
        self.look(self, "done")

    def play(self):
        """Press Play on the card, and wait until the run has come to where the card wants it."""
        speed = self.page.locator(".fl-player .fl-speed")
        if self.card.play.speed:
            assert speed.input_value() == self.card.play.speed
        if self.card.ask is None and self.card.t is not None:
            assert self.t == self.card.t
        speed.select_option("max")
        steps = self.page.evaluate(f"{LESSON}.player.payload.steps")
        goal = min(self.card.play.to or steps, steps)
        self.press("play")
        self.me.wait_until(lambda: self.t == goal and self.me.state in ("paused", "finished"))

    # ---- questions

    def answer(self):
        """Answer the card's question; nothing plays and nothing is told before."""
        card, ask = self.card, self.card.ask
        begin = card.t or 0
        self.me.wait_until(lambda: self.t == begin)
        assert self.words(".fl-c-asked legend") == self.meant(ask.question)
        assert not self.can("next")
        assert not self.can("play")
        assert not self.can("lock")
        if card.play is not None:
            before = self.page.evaluate("document.activeElement?.blur(), document.querySelector(MAIN).scrollTop")
            for key in (" ", "s", "n"):
                self.page.keyboard.press(key)
            self.page.wait_for_timeout(100)
            assert self.t == begin, "a key moved the playhead while the question was open"
            assert self.page.evaluate("document.querySelector('.fl-bar').inert")
            self.page.evaluate("top => document.querySelector(MAIN).scrollTo({ top })", before)  # Space turns pages
        assert self.page.evaluate(AHEAD) == []
        assert self.meant(ask.after) not in self.words("")
        getattr(self, f"_{ask.kind}")(ask)
        self.look(self, "answered")
        self.press("lock")
        self.me.wait_until(lambda: not self.can("lock"))
        if card.play is not None:
            assert self.t == begin
            assert self.words(".fl-c-outcome") == ""
            self.play()
        self.page.wait_for_selector(".fl-c-outcome h3")
        said = self.words(".fl-c-outcome")
        assert said.endswith(self.meant(ask.after))
        getattr(self, f"_{ask.kind}_told")(ask, said)

    def _choice(self, ask):
        wrong = next(i for i in range(len(ask.options)) if i != ask.right)
        self.chosen = ask.right if self.right else wrong
        rows = self.page.locator(".fl-card .fl-c-option")
        assert [rows.nth(i).evaluate(READ) for i in range(rows.count())] == [
            self.meant(option, line=True) for option in ask.options
        ]
        self.click(rows.nth(self.chosen))

    def _choice_told(self, ask, said):
        came = self.page.locator(".fl-card .fl-c-option.fl-c-came")
        assert came.evaluate(READ).startswith(self.meant(ask.options[ask.right], line=True))
        if self.right:
            assert said == f"You expected what happens. {self.meant(ask.after)}"
        else:
            tempting = self.meant(ask.wrong.get(str(self.chosen), ""))
            assert tempting, "a wrong answer is told why it is tempting"
            assert said == f"That is not what happens. {tempting} {self.meant(ask.after)}"

    def _number(self, ask):
        stated = next(fact for fact in self.card.facts if fact.measure == ask.truth and fact.holds == "is")
        self.fact = float(stated.value)
        self.off = 0.5 * 10.0 ** stated.value.as_tuple().exponent
        wrong = ask.high if self.fact < (ask.low + ask.high) / 2 else ask.low
        wanted = self.fact if self.right else wrong
        slider = self.page.locator(".fl-c-range")
        slider.focus()
        self.page.keyboard.press("Home" if wanted - ask.low < ask.high - wanted else "End")
        for _ in range(100):
            apart = (wanted - float(slider.input_value())) / ask.step
            if abs(apart) <= 0.51:
                break
            self.page.keyboard.press("ArrowRight" if apart > 0 else "ArrowLeft")
        if not self.can("lock"):  # the end of the slider at which it stood
            self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press("ArrowLeft")
        self.chosen = float(slider.input_value())

    def _number_told(self, ask, said):
        number = r"(−?[\d,]+(?:\.\d+)?)"
        unit = f" {re.escape(ask.unit)}" if ask.unit else ""
        found = re.match(rf"You said {number}{unit}\. It came out as {number}{unit}(, close to your answer)?\.", said)
        assert found, said
        mine, came = (float(text.replace("−", "-").replace(",", "")) for text in found.groups()[:2])
        assert abs(mine - self.chosen) <= ask.step / 2
        decimals = len(f"{ask.step:g}".partition(".")[2])
        assert abs(came - self.fact) <= self.off + 0.5 * 10.0**-decimals, "what came out is what the text states"
        assert bool(found[3]) == self.right

    def _curve(self, ask):
        pad = self.page.locator(f'[data-chart="{ask.chart}"] .fl-pad')
        if not pad.is_visible():
            self.page.get_by_role("button", name="Go to the chart").click()
        scale = f"{LESSON}.player.grid.drawings.get('{ask.chart}')"
        shares = np.linspace(0.005, 0.995, 40)
        t = np.array(self.page.evaluate(f"s => s.map(x => {scale}.x.value(x * {scale}.x.length))", shares.tolist()))
        y = self._real(ask, t)
        pad.scroll_into_view_if_needed()
        box = self.at_rest(pad)
        down = np.array(self.page.evaluate(f"y => y.map(v => {scale}.y.place(v) / {scale}.y.length)", y.tolist()))
        if not self.right:  # far from it, at the top or at the bottom
            down[:] = 0 if down.mean() > 0.5 else 1
        down = np.clip(down, 0.01, 0.99)
        places = [
            (box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in zip(shares, down, strict=True)
        ]
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places:
            self.page.mouse.move(*place)
        self.page.mouse.up()

    def _real(self, ask, t):
        """The mean curve that will come out, of simulations that the test itself runs."""
        setup = setup_of(places()[self.card.lab], self.card.settings)
        simulation = self.runs.simulation(setup, ask.learner, setup.steps)
        values = simulation.history[ask.chart].mean(axis=1)
        return np.interp(t, np.arange(1, len(values) + 1), values)

    def _curve_told(self, ask, said):
        assert self.page.locator(f'[data-chart="{ask.chart}"] .fl-pad-line path').count() == 1
        if self.right:
            assert said.startswith(("Your curve runs close to the real one.", "Your curve is near the real one"))
        else:
            assert said.startswith("Your curve is far from the real one.")
            assert "They are furthest apart at" in said

    # ---- what a card waits for

    def change(self):
        """Move the slider, or whatever the setting has, by one place."""
        self.me.settle()
        field = self.page.locator(".fl-pointed")
        slider = field.get_by_role("slider")
        if slider.count():
            most = slider.input_value() == slider.get_attribute("max")
            slider.press("ArrowLeft" if most else "ArrowRight")
        elif (chosen := field.get_by_role("combobox")).count():
            chosen.click()
            self.page.get_by_role("option").nth(1).click()
        else:
            field.get_by_test_id("stNumberInputStepUp").click()

    def judge(self):
        """Click two documents of each list, and let the simulated user go on."""
        hand, main = self.card.hand, self.page.get_by_test_id("stMain")
        for number in range(1, hand.searches + 1):
            main.get_by_text(f"Search {number} of {hand.searches}").wait_for()
            self.me.settle()
            cards = main.locator(".fl-cards button")
            for place in (number, number + 5):
                self.click(cards.nth(place))
            main.locator(".fl-cards [aria-pressed=true]").nth(1).wait_for()
            main.get_by_role("button", name="Done" if number == hand.searches else "Next list").click()
        main.get_by_role("button", name=f"Let {hand.then:,} more run").click()
        main.get_by_text(f"the simulated user the next {hand.then:,}").wait_for()

    def start_over(self):
        """Forget the answers, and be at the first card again."""
        self.press("restart")
        self.press("restart")
