// The lists of a search, side by side. What is marked in one list is marked in all. Texts go in as texts, never as
// HTML.

import { flElement } from '../../draw/js/library.js';

const FL_PAUSE = 900;  // milliseconds between two orders of a list, and the least time between two looks of the server

function flPieces(pieces) {
  return pieces.map(([text, hit]) => hit ? flElement('mark', {}, text) : text);
}

class Results {
  constructor(place) {
    this.place = place;
    this.marked = new Set();
    this.timers = [];
  }

  // data: see `payload` in results.py. A search that is on the page already keeps its rows, and with them the focus.
  show(data, send) {
    this.send = send;
    const other = this.data?.id !== data.id;
    if (other || Date.now() - (this.clicked ?? 0) > 1000) this.marked = new Set(data.marked);
    if (other || JSON.stringify(data) !== this.text) {
      this.data = data;
      this.text = JSON.stringify(data);
      this.timers.splice(0).forEach(clearTimeout);
      this.draw(other);
    }
    this.marks();
  }

  draw(moving) {
    const { data } = this;
    this.place.classList.toggle('fl-open', data.open);
    this.aside = '';
    this.lists = data.columns.map(column => this.column(column));
    const columns = flElement(`div.fl-columns.fl-of-${data.columns.length}`, {},
      ...this.lists.map(list => list.whole), this.aside);
    this.place.replaceChildren(columns, this.foot());
    if (moving && this.place.getBoundingClientRect().top < 0) this.place.scrollIntoView();
    const still = !moving || matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (const list of this.lists) {
      const { stages } = list.column;
      if (still) this.arrange(list, stages.length - 1);
      else {
        this.arrange(list, 0);
        stages.slice(1).forEach((_, i) => {
          this.timers.push(setTimeout(() => this.glide(list, i + 1), FL_PAUSE * (i + 0.5)));
        });
      }
    }
  }

  column(column) {
    const list = flElement('ol', { 'aria-label': column.title });
    const said = flElement('p.fl-said', { role: 'status' }, column.said || '');
    const head = flElement('header', {}, flElement('b', {}, column.title), flElement('span', {}, column.note || ''));
    const whole = flElement('section.fl-column', { 'data-slot': column.slot }, head, said, list);
    if (column.aside) this.aside = flElement('aside', {}, ...column.aside.map(text => flElement('p', {}, text)));
    return { column, list, said, whole, rows: new Map() };
  }

  // Puts a list in one of its orders. Signs of what moved belong to the last.
  arrange(list, stage) {
    const { stages } = list.column, last = stage === stages.length - 1;
    list.list.replaceChildren(...stages[stage].map((id, i) => {
      if (!list.rows.has(id)) list.rows.set(id, this.row(id));
      const row = list.rows.get(id);
      this.set(list, row, id, i, last);
      return row.item;
    }));
    list.said.classList.toggle('fl-later', !last);
    list.whole.dataset.stage = last ? 'last' : stage;
    this.marks();
  }

  set(list, row, id, i, last) {
    const { column } = list, pair = flPair(column.pairs ?? [], i), change = last && column.changes?.[id];
    row.number.textContent = i + 1;
    row.target.setAttribute('aria-label', `rank ${i + 1}: ${row.label}`);
    row.item.className = `${pair} ${column.until === i + 1 ? 'fl-until' : ''}`;
    row.sign.className = `fl-sign ${change ? `fl-${change[0]}` : ''}`;
    row.sign.textContent = change ? change[1] : pair.includes('fl-swapped') ? '⇄' : '';
    row.sign.title = change ? change[2] : pair.includes('fl-swapped') ? 'a coin made this pair change places' : '';
  }

  row(id) {
    const entry = this.data.rows[id];
    const number = flElement('span.fl-place'), sign = flElement('span.fl-sign');
    const name = flElement('span.fl-name', { title: entry.name }, entry.name);
    const where = flElement('span.fl-where', {}, entry.where);
    const title = entry.text.map(piece => piece[0]).join('');
    const text = flElement('span.fl-text', { title }, ...flPieces(entry.text));
    const target = flElement(this.data.open ? 'button' : 'div', {}, number,
      flElement('span.fl-main', {}, flElement('span.fl-line', {}, name, where), text), sign);
    target.classList.add('fl-result');
    target.dataset.id = id;
    if (this.data.open) {
      target.type = 'button';
      target.addEventListener('keydown', event => event.stopPropagation());  // Space is a click here
      target.addEventListener('click', () => this.click(id));
    }
    return { item: flElement('li', {}, target), target, number, sign, label: `${entry.name}, ${entry.where}` };
  }

  // Lets the rows of a list glide from where they stand to another order.
  glide(list, stage) {
    const before = new Map([...list.rows].filter(([, row]) => row.item.isConnected)
      .map(([id, row]) => [id, row.item.getBoundingClientRect().top]));
    this.arrange(list, stage);
    for (const [id, row] of list.rows) {
      if (!row.item.isConnected) continue;
      const from = before.has(id) ? before.get(id) - row.item.getBoundingClientRect().top : 60;
      if (from) row.item.animate(
        [{ transform: `translateY(${from}px)`, opacity: before.has(id) ? 1 : 0 }, { transform: 'none', opacity: 1 }],
        { duration: 700, easing: 'ease-in-out' });
    }
  }

  click(id) {
    if (!this.marked.delete(id)) this.marked.add(id);
    this.clicked = Date.now();
    this.marks();
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.tell('marked'), FL_PAUSE / 2);  // not at once: the next click may follow
  }

  tell(what, more = {}) {
    clearTimeout(this.telling);
    this.send({ do: what, id: this.data.id, marked: [...this.marked], ...more });
  }

  marks() {
    for (const { rows } of this.lists ?? []) {
      for (const [id, row] of rows) {
        const chosen = this.marked.has(id);
        row.target.classList.toggle('fl-chosen', chosen);
        if (this.data.open) row.target.setAttribute('aria-pressed', String(chosen));
      }
    }
    if (this.button) {
      const { one, more, none } = this.data.button, n = this.marked.size;
      this.button.textContent = n === 0 ? none : n === 1 ? one : more.replace('#', n);
      this.button.disabled = n === 0;
    }
  }

  foot() {
    const { data } = this;
    this.button = null;
    const foot = flElement('div.fl-foot');
    if (data.open) {
      this.button = flElement('button.fl-primary', { type: 'button' });
      this.button.addEventListener('click', () => {
        this.button.disabled = true;
        this.tell('done');
      });
      foot.append(this.button, flElement('span.fl-hint', {}, data.hint));
    } else {
      if (data.verdict) foot.append(flElement('p.fl-verdict', { role: 'status' }, data.verdict));
      foot.append(flElement('span.fl-hint', {}, data.hint));
      data.next.forEach(([query, label], i) => {
        const button = flElement(`button.${i ? 'fl-plain' : 'fl-primary'}`, { type: 'button' }, label);
        button.addEventListener('click', () => this.tell('search', { query }));
        foot.append(button);
      });
    }
    return foot;
  }
}

// The classes of a row at some position of a list in pairs [upper, lower, whether swapped].
function flPair(pairs, i) {
  const found = pairs.find(pair => pair[0] === i || pair[1] === i);
  if (!found) return '';
  return found[1] === i ? 'fl-lower' : found[2] ? 'fl-upper fl-swapped' : 'fl-upper';
}

export default function (component) {
  const place = component.parentElement.querySelector('.fl-search');
  place.__results ??= new Results(place);
  place.classList.toggle('fl-large', Boolean(component.data.large));
  place.__results.show(component.data, sent => component.setTriggerValue('sent', sent));
}
