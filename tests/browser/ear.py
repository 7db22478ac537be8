"""Stands in for the sound of a browser: `heard` has the kind of each tone, `contexts` how often sound was opened."""

EAR = """
globalThis.heard = [];
globalThis.contexts = 0;
globalThis.AudioContext = class {
  constructor() { contexts += 1; this.currentTime = 0; this.destination = {}; }
  resume() {}
  close() {}
};
globalThis.GainNode = class {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  connect(next) { return next; }
};
globalThis.OscillatorNode = class {
  constructor(context, { type }) { this.type = type; }
  connect(next) { return next; }
  start() { heard.push(this.type); }
  stop() {}
};
"""


def listen(frame, play):
    """Turn the sound on, which is off at first, play, and return the kinds of tones that were heard."""
    button = frame.locator(".fl-player [data-do=sound]")
    button.wait_for()
    assert button.is_visible() and button.get_attribute("aria-pressed") == "false"
    assert frame.locator(".fl-heard").is_hidden() and button.evaluate("() => contexts") == 0
    button.click()
    assert button.get_attribute("aria-pressed") == "true" and button.evaluate("() => contexts") == 1
    play()
    frame.locator(".fl-player[data-state=finished], .fl-player[data-state=paused]").wait_for()
    return {*button.evaluate("() => heard")}
