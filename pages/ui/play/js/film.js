// Replicates: all as mean and band, or one after the other, and strips that show when each of them was unstable.

const FL_REEL = 400;  // ms that a replicate is shown for when they are played through

class Film {
  constructor(player) {
    Object.assign(this, { player, replicate: null, before: 0, film: null, held: null, asked: '', alone: new Set() });
    this.controls = new FilmControls(this);
    this.strips = flElement('div.fl-strips', { hidden: '' });
    this.sections = [];
    player.places.film.append(this.controls.row);
    player.root.append(this.strips);
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    addEventListener('keydown', event => this._key(event), { signal });
    this.calm.addEventListener('change', () => { this.stop(); this._show(); }, { signal });
  }

  update(payload) {
    const { film } = payload;
    this.film = film;
    if (film?.charts) this.held = { key: film.key, charts: film.charts };
    if (!film) { this.stop(); this.replicate = null; }
    else if (this.replicate !== null) this.replicate = Math.min(this.replicate, payload.replicates - 1);
    if (!this.ready) this._hand(() => null);  // the curves of another run
    this._arrange(payload);
    this._show();
    this.player.draw().then(() => this._apply());  // the charts first
  }

  // Uncovers the strips up to the playhead; called at each frame.
  reveal(t) {
    for (const section of this.sections) section.reveal(t);
  }

  // Shows one replicate, counted from 0, or with null mean and band.
  choose(replicate) {
    if (!this.film) return;
    if (replicate === null) this.stop();
    this.before = replicate ?? this.replicate ?? this.before;
    this.replicate = replicate;
    this._show();
    this._apply();
  }

  // Shows the next or the previous replicate; the first call shows the one that was seen last.
  step(by) {
    const { replicates } = this.player.payload;
    const next = this.replicate === null ? this.before : this.replicate + by;
    this.choose((next + replicates) % replicates);
  }

  // Plays all replicates through, one after the other and again from the first.
  toggle() {
    if (this.reel) { this.stop(); this._show(); return; }
    if (this.calm.matches) return;
    if (this.replicate === null) this.step(0);
    this._play(this.reel = {});
    this._show();
  }

  async _play(reel) {
    const pause = () => new Promise(next => setTimeout(next, FL_REEL));
    for (await pause(); this.reel === reel; await this.shown, await pause()) {
      if (!document.hidden && this.ready) this.step(1);
    }
  }

  stop() {
    this.reel = null;
  }

  // Whether the curves that are here belong to the charts that are drawn.
  get ready() {
    return Boolean(this.film) && this.held?.key === this.film.key;
  }

  destroy() {
    this.stop();
    this.leaving.abort();
  }

  // Shows every chart the curves of the replicate, or takes them back; asks for them if they are not here.
  _apply() {
    const { player, film, replicate } = this, { payload } = player;
    if (this.leaving.signal.aborted || payload.film !== film) return;
    const whole = payload.complete || Boolean(payload.failed);
    if (replicate !== null && !this.ready && whole && this.asked !== film.key) {
      this.asked = film.key;
      player.host.film();
    }
    this._hand(id => replicate !== null && this.ready ? this._lines(id) : null);
  }

  _hand(linesOf) {
    const { replicate, player } = this, drawing = [];
    for (const [id, chart] of player.grid.drawings) {
      const lines = linesOf(id);
      if (!chart.solo || (!lines && !this.alone.has(chart))) continue;
      this.alone[lines ? 'add' : 'delete'](chart);
      drawing.push(chart.solo(lines && { replicate, lines }));
    }
    this.shown = Promise.allSettled(drawing);
  }

  // The values of the replicate for each line of a chart.
  _lines(id) {
    const { replicate, held, player } = this, { charts, replicates } = player.payload;
    const chart = charts.find(chart => chart.id === id), packed = held.charts[id];
    if (!packed) return null;
    return packed.map((curve, number) => {
      curve.values ??= new Uint16Array(flBytes(curve.codes).buffer);
      const points = curve.values.length / replicates;
      const codes = curve.values.subarray(replicate * points, (replicate + 1) * points);
      const value = code => curve.low + code * curve.step;
      const y = Array.from(codes, code => code === 65535 ? null : curve.log ? 10 ** value(code) : value(code));
      return { trace: chart.lines[number].trace, y };
    });
  }

  _arrange(payload) {
    const strips = payload.film?.strips ?? [];
    const form = JSON.stringify(strips.map(strip => [strip.id, strip.learners.map(learner => learner.slot)]));
    this.strips.hidden = !strips.length;
    if (form !== this.form) {
      this.form = form;
      this.sections = strips.map(strip => new StripSection(this, strip));
      this.strips.replaceChildren(...this.sections.map(section => section.element));
    }
    this.sections.forEach((section, number) => section.update(strips[number], payload));
    this.reveal(this.player.t);
  }

  _show() {
    this.controls.show();
    for (const section of this.sections) section.mark(this.replicate);
  }

  _key(event) {
    const by = { ',': -1, '.': 1 }[event.key], at = event.composedPath()[0];
    if (!by || !this.film || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (at instanceof Element && at !== this.player.timeline?.slider && at.closest(FL_FIELDS)) return;
    event.preventDefault();
    this.stop();
    this.step(by);
  }
}

// The row with which a person chooses between mean and single replicates.
class FilmControls {
  constructor(film) {
    this.film = film;
    const button = (name, title, act, ...inside) => {
      const label = title?.replace(/ \(.*/, '');
      const made = flElement(`button.${name}`, { type: 'button', title, 'aria-label': label }, ...inside);
      made.addEventListener('click', act);
      return made;
    };
    const arrow = d => flDrawing(16, 16, { path: { d, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 } });
    this.mean = button('fl-part', null, () => film.choose(null), 'Mean and band');
    this.one = button('fl-part', null, () => { if (film.replicate === null) film.step(0); }, 'One replicate at a time');
    const move = by => () => { film.stop(); film.step(by); };
    this.label = flElement('span.fl-which', { 'aria-live': 'polite' });
    this.reel = button('fl-button', '', () => film.toggle());
    this.walk = flElement('span.fl-walk', { hidden: '' },
      button('fl-button', 'Previous replicate (,)', move(-1), arrow('M10 3L5 8l5 5')), this.label,
      button('fl-button', 'Next replicate (.)', move(1), arrow('M6 3l5 5-5 5')), this.reel);
    this.row = flElement('div.fl-replicates', { role: 'group', 'aria-label': 'Replicates', hidden: '' },
      flElement('span.fl-parts', {}, this.mean, this.one), this.walk);
  }

  show() {
    const { film, row, walk, label, reel } = this, { payload } = film.player, { replicate } = film;
    row.hidden = !film.film;
    walk.hidden = replicate === null;
    this.mean.setAttribute('aria-pressed', replicate === null);
    this.one.setAttribute('aria-pressed', replicate !== null);
    if (!film.film) return;
    const wait = film.ready ? '' : payload.complete || payload.failed ? ' …' : ', once the run is computed';
    const words = replicate === null ? '' : `replicate ${replicate + 1} of ${payload.replicates}${wait}`;
    if (label.textContent !== words) label.textContent = words;
    label.style.minWidth = `${`replicate  of ${payload.replicates}`.length + 2}ch`;
    label.setAttribute('aria-live', film.reel ? 'off' : 'polite');
    reel.hidden = film.calm.matches;
    reel.title = film.reel ? 'Stop' : 'Play all replicates through';
    reel.setAttribute('aria-label', reel.title);
    reel.replaceChildren(flIcon(film.reel ? 'pause' : 'play'));
  }
}

// The strips of one metric, one for each learner, with title, colours and steps.
class StripSection {
  constructor(film, strip) {
    this.film = film;
    this.title = flElement('span');
    this.help = flElement('p');
    this.sign = flElement('summary', { 'aria-label': 'What is this?' }, '?');
    this.scale = flElement('span.fl-scale');
    this.heats = strip.learners.map(() => new HeatStrip(this));
    this.ticks = flElement('div.fl-ticks', { 'aria-hidden': 'true' });
    this.reading = flElement('p.fl-reading', { role: 'status' });
    this.element = flElement('section', { 'data-strip': strip.id },
      flElement('h3', {}, this.title, flElement('details', {}, this.sign, this.help)),
      flElement('div.fl-key', {}, this.reading, this.scale), ...this.heats.map(heat => heat.element), this.ticks);
  }

  update(strip, payload) {
    this.strip = strip;
    this.payload = payload;
    this.element.style.color = payload.text;
    this.title.textContent = strip.title;
    this.help.textContent = this.sign.title = strip.help;
    const ends = [strip.best, strip.best + strip.step * strip.levels].map(value => flNumber(value));
    const bar = flElement('i', { style: `background: linear-gradient(90deg, ${strip.ramp.join(', ')})` });
    this.scale.replaceChildren(`${ends[0]} best`, bar, `${ends[1]} worst`);
    this.ticks.replaceChildren(...flTicks(strip.edges.at(-1), strip.log).map(t => {
      const place = 100 * this.place(t);  // the first and the last stay within the strip
      return flElement('span', { style: `left: ${place}%; translate: ${place % 100 ? -50 : -place}%` }, flCount(t));
    }));
    strip.learners.forEach((learner, number) => this.heats[number].update(learner));
    this.tell(null);
  }

  // Where a step stands across the strip, from 0 to 1.
  place(t) {
    const { edges, log } = this.strip, last = edges.at(-1);
    return Math.min(1, log ? Math.log10(Math.max(t, 1)) / Math.log10(Math.max(last, 2)) : t / last);
  }

  reveal(t) {
    const place = this.place(t);
    if (place === this.shown) return;
    this.shown = place;
    for (const heat of this.heats) heat.veil.style.transform = `translateX(${100 * place}%)`;
  }

  mark(replicate) {
    for (const heat of this.heats) heat.mark(replicate);
  }

  tell(words) {
    this.reading.textContent = words ?? 'Point at a row to read it, press it to see that replicate.';
  }
}

// The strip of one learner, a row for each replicate and a column for some steps.
class HeatStrip {
  constructor(section) {
    Object.assign(this, { section, row: 0, column: null, chosen: null });
    this.name = flElement('span.fl-learner');
    this.canvas = flElement('canvas', { width: 1200 });
    this.veil = flElement('i.fl-veil');
    this.cursor = flElement('i.fl-cursor', { hidden: '' });
    this.line = flElement('i.fl-line', { hidden: '' });
    this.box = flElement('i.fl-chosen', { hidden: '' });
    this.frame = flElement('div.fl-heat', { tabindex: 0, role: 'application', 'aria-roledescription': 'heat strip' },
      this.canvas, this.veil, this.line, this.box, this.cursor);
    this.element = flElement('div.fl-strip', {}, this.name, this.frame);
    const { frame } = this, on = (type, act) => frame.addEventListener(type, act);
    on('pointermove', event => this._point(event));
    on('pointerdown', event => this._point(event));
    on('pointerleave', () => this._leave());
    on('blur', () => this._leave());
    on('click', event => { if (this._point(event)) this._choose(); });
    on('focus', () => { if (frame.matches(':focus-visible')) this._look(this.row, this.column ?? this._latest()); });
    on('keydown', event => this._key(event));
  }

  update(learner) {
    const { strip, payload } = this.section, { label, color, dash } = payload.learners[learner.slot];
    this.order = learner.order;
    if (learner.codes !== this.text) this.codes = flBytes(this.text = learner.codes);
    const line = { x1: 0, x2: 34, y1: 4, y2: 4, stroke: color, 'stroke-width': 3, 'stroke-dasharray': dash };
    const words = [flElement('b', {}, label), flElement('span', {}, learner.text)];
    this.name.replaceChildren(flDrawing(34, 8, { line }), ...words);
    this.label = label;
    this.frame.style.height = `${Math.min(200, Math.max(48, 6 * this.order.length))}px`;
    this.frame.setAttribute('aria-label', `${strip.title}, ${label}. ${learner.text} ` +
      'Arrow keys walk through rows and columns, Enter shows the replicate of a row.');
    this._paint(strip);
    this.mark(this.chosen);
    this._leave();
  }

  mark(replicate) {
    this.chosen = replicate;
    const row = this.order?.indexOf(replicate) ?? -1;
    this.box.hidden = row < 0;
    if (row >= 0) this._put(this.box, row);
  }

  // A picture of 1200 points by one for each replicate, which the page stretches.
  _paint({ edges, log, ramp, levels }) {
    const { canvas, codes } = this, { width } = canvas, rows = this.order.length, columns = edges.length - 1;
    const now = [log, ramp, levels, edges, this.text].join();
    if (now === this.painted) return;
    this.painted = now;
    canvas.height = rows;
    const context = canvas.getContext('2d'), picture = context.createImageData(width, rows);
    const points = new Uint32Array(picture.data.buffer);
    const colors = Array.from({ length: levels + 1 }, (_, code) => flMix(ramp, code / levels));
    const starts = edges.map(edge => Math.round(this.section.place(edge) * width));
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const color = colors[codes[row * columns + column]] ?? 0;
        points.fill(color, row * width + starts[column], row * width + starts[column + 1]);
      }
    }
    context.putImageData(picture, 0, 0);
  }

  // The column of the playhead, beyond which nothing is told.
  _latest() {
    const { edges } = this.section.strip, t = this.section.film.player.t;
    return Math.min(edges.length - 2, Math.max(0, edges.findLastIndex(edge => edge < Math.max(t, 1))));
  }

  _point(event) {
    const { left, top, width, height } = this.frame.getBoundingClientRect(), { strip } = this.section;
    const last = strip.edges.at(-1), share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    const t = strip.log ? Math.max(last, 2) ** share : share * last;
    const row = Math.floor((event.clientY - top) / height * this.order.length);
    const column = Math.max(0, strip.edges.findLastIndex(edge => edge < Math.max(t, 1)));
    this._look(Math.min(this.order.length - 1, Math.max(0, row)), Math.min(column, strip.edges.length - 2));
    return true;
  }

  // Says what a row holds at a column.
  _look(row, column) {
    const { section } = this, { strip, payload, film } = section, columns = strip.edges.length - 1;
    const from = strip.edges[column] + 1, to = strip.edges[column + 1], { unit } = payload;
    const when = from === to ? `${unit} ${flCount(to)}` : `${unit}s ${flCount(from)}–${flCount(to)}`;
    const code = this.codes[row * columns + column], seen = film.player.t >= from;
    const holds = { worst: `, the worst of these ${unit}s`, mean: ', their mean', since: ', their mean' };
    const held = from < to ? holds[strip.within] ?? '' : '';
    const value = code > strip.levels ? 'no value' : flNumber(strip.best + code * strip.step) + held;
    Object.assign(this, { row, column });
    this.cursor.hidden = this.line.hidden = false;
    this.line.style.left = `${50 * (section.place(from - 1) + section.place(to))}%`;
    this._put(this.cursor, row);
    section.tell(`${this.label}, replicate ${this.order[row] + 1}` +
      (seen ? `, ${when}. ${strip.quantity}: ${value}.` : `. The playhead has not come to ${when} yet.`));
  }

  _leave() {
    this.cursor.hidden = this.line.hidden = true;
    this.section.tell(null);
  }

  _choose() {
    const { film } = this.section;
    film.stop();
    film.choose(this.order[this.row]);
  }

  _key(event) {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!by && event.key !== 'Enter')) return;
    event.preventDefault();
    if (!by) { this._choose(); return; }
    const within = (value, most) => Math.min(most, Math.max(0, value)), latest = this._latest();
    const column = within((this.column ?? latest) + by[1], latest);
    this._look(within(this.row + by[0], this.order.length - 1), column);
  }

  _put(mark, row) {
    mark.style.top = `${100 * row / this.order.length}%`;
    mark.style.height = `${100 / this.order.length}%`;
  }
}

// The bytes of a text in base 64.
function flBytes(text) {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

// The colour at a place from 0 to 1 of a scale of colours, as a number for a picture.
function flMix(ramp, place) {
  const at = Math.min(ramp.length - 2, Math.floor(place * (ramp.length - 1))), share = place * (ramp.length - 1) - at;
  const part = (color, i) => parseInt(color.slice(2 * i + 1, 2 * i + 3), 16);
  const [r, g, b] = [0, 1, 2].map(i => Math.round(part(ramp[at], i) * (1 - share) + part(ramp[at + 1], i) * share));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// The steps that are written below a strip: whole powers of ten, or about five round numbers.
function flTicks(last, log) {
  if (log) return Array.from({ length: Math.floor(Math.log10(last) + 1e-9) + 1 }, (_, power) => 10 ** power);
  const power = 10 ** Math.floor(Math.log10(Math.max(last, 1) / 4));
  const by = Math.max(1, [1, 2, 5, 10].map(times => times * power).findLast(step => last / step >= 4));
  return Array.from({ length: Math.floor(last / by) + 1 }, (_, number) => number * by);
}
