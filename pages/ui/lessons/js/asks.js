// The kinds of questions. Each draws its field, locks it, and shows afterwards the answer beside what came out.

import { flElement, flLocale } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';

// Text that the server has turned into HTML.
export function flHtml(name, html) {
  const made = flElement(name);
  made.innerHTML = html ?? '';
  return made;
}

// A number with the decimals that belong to a step, and its unit.
function flAmount(value, { step = 1, unit = '' }) {
  const decimals = (String(step).split('.')[1] ?? '').length;
  const text = value.toLocaleString(flLocale(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return text.replace('-', '−') + (unit ? ` ${unit}` : '');
}

// One of several options.
export class ChoiceAsk {
  static fits({ options }, value) {
    return Number.isInteger(value) && value >= 0 && value < options.length;
  }

  constructor(card, changed) {
    const { options } = this.ask = card.ask, name = `fl-${card.id}`;
    this.rows = options.map((option, i) => {
      const input = flElement('input', { type: 'radio', name, value: i });
      input.addEventListener('change', () => { this.draft = i; changed(); });
      return { input, row: flElement('label.fl-c-option', {}, input, flHtml('span.fl-c-words-of', option)) };
    });
    this.draft = null;
    this.main = flElement('div.fl-c-options', {}, ...this.rows.map(({ row }) => row));
    this.wanting = flSay('Choose an answer first.');
  }

  lock(value) {
    this.rows.forEach(({ input, row }, i) => {
      input.checked = i === value;
      input.disabled = true;
      row.classList.toggle('fl-c-own', i === value);
      row.classList.toggle('fl-c-other', i !== value);
      if (i === value) row.append(flElement('small.fl-c-tag', {}, flSay('your answer')));
    });
  }

  // Shows which option it was; returns what there is to read about it.
  compare(value) {
    const { right, wrong = {} } = this.ask, found = this.rows[right];
    found.row.classList.add('fl-c-came');
    found.row.append(flElement('small.fl-c-tag', {}, flSay('what happens')));
    const hit = value === right, tempting = wrong[value];
    return {
      words: flSay(hit ? 'You expected what happens.' : 'That is not what happens.'), points: hit ? 1 : 0,
      response: this._plain(value),
      parts: hit || !tempting ? [] : [flHtml('div.fl-c-text', tempting)],
      spoken: flSay('Your answer: {answer}. What happens: {right}.', { answer: this._plain(value),
        right: this._plain(right) }),
    };
  }

  _plain(i) {
    return this.rows[i].row.querySelector('.fl-c-words-of').textContent.trim().replace(/\.$/, '');
  }

  tally(counts) {
    const bars = Array.isArray(counts) ? counts : [];
    return this.rows.map((_, i) => ({ label: this._plain(i), count: Number(bars[i]) || 0 }));
  }
}

// A number on a slider.
export class NumberAsk {
  static fits({ low, high }, value) {
    return Number.isFinite(value) && value >= low && value <= high;
  }

  constructor(card, changed) {
    const { low, high, step } = this.ask = card.ask;
    const middle = low + Math.round((high - low) / 2 / step) * step;
    this.field = flElement('input.fl-c-range', { type: 'range', min: low, max: high, step, value: middle });
    this.field.setAttribute('aria-labelledby', `fl-question-${card.id}`);
    this.shown = flElement('output.fl-c-amount', { 'aria-hidden': 'true' }, flSay('Move the slider'));
    this.field.addEventListener('input', () => {
      this.draft = Number(this.field.value);
      this._tell(this.draft);
      changed();
    });
    this.field.setAttribute('aria-valuetext', flSay('no answer yet'));
    this.draft = null;
    this.main = flElement('div.fl-c-number-ask', {}, this.shown, this.field,
      flElement('div.fl-c-ends-of', { 'aria-hidden': 'true' }, flElement('span', {}, flAmount(low, this.ask)),
        flElement('span', {}, flAmount(high, this.ask))));
    this.wanting = flSay('Move the slider to your answer first.');
  }

  _tell(value) {
    this.shown.textContent = flAmount(value, this.ask);
    this.field.setAttribute('aria-valuetext', flAmount(value, this.ask));
  }

  lock(value) {
    this.field.value = value;
    this.field.disabled = true;
    this._tell(value);
  }

  compare(value, truth) {
    if (!Number.isFinite(truth)) return null;  // it is still read from the run
    const { low, high, step } = this.ask, share = at => Math.min(1, Math.max(0, (at - low) / (high - low)));
    const mark = (at, name, words) => {
      const made = flElement(`div.fl-c-mark-of.${name}`, {}, flElement('span', {}, words), flElement('b', {},
        flAmount(at, this.ask)));
      made.style.setProperty('--fl-share', share(at));
      return made;
    };
    this.main.replaceChildren(flElement('div.fl-c-beside', {}, mark(value, 'fl-c-own', flSay('you')),
      flElement('div.fl-c-scale', {}), mark(truth, 'fl-c-came', flSay('the run'))));
    const apart = Math.abs(value - truth), near = apart <= Math.max(step / 2, (high - low) / 20);
    const both = { said: flAmount(value, this.ask), out: flAmount(truth, this.ask) };
    const words = flSay(near ? 'You said {said}. It came out as {out}, close to your answer.'
      : 'You said {said}. It came out as {out}.', both);
    return { words, parts: [], spoken: words, points: near ? 1 : 0, response: flAmount(value, this.ask) };
  }

  tally(binned) {
    const { counts = [], low = this.ask.low, high = this.ask.high } = binned ?? {}, { step } = this.ask;
    const edge = i => low + i * (high - low) / counts.length;
    const label = i => flSay('{low} to {high}', { low: flAmount(edge(i), { step }), high: flAmount(edge(i + 1),
      this.ask) });
    return counts.map((count, i) => ({ label: label(i), count }));
  }
}
