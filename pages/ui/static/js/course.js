// A lesson's messages to a course: SCORM 1.2 where the page is a package in an LMS, and xAPI statements by messages to
// a page that has this one in a frame and asks for them. Neither gets a name from here.

const FL_SPACE = 4096;  // letters that SCORM 1.2 keeps for a lesson
const FL_KEPT_POINTS = [200, 40, 16, 8, 4];  // points of drawn curves kept there, the first for which there is room
const FL_VERBS = 'http://adlnet.gov/expapi/verbs/', FL_ACTIVITIES = 'http://adlnet.gov/expapi/activities/';

/**
 * The LMS's object, which stands in a page around this one or in the one that opened it.
 * @param {any} from
 * @returns {any}
 */
export function flApi(from = window) {
  const reach = (place, name) => { try { return place[name]; } catch { return null; } };  // of another origin
  for (let place = from, up = 0; place && up < 8; up += 1) {
    const api = reach(place, 'API');
    if (api?.LMSInitialize) return api;
    const { parent } = place;
    if (parent === place) return from.opener && from.opener !== from ? flApi(from.opener) : null;
    place = parent;
  }
  return null;
}

// A state with fewer points of drawn curves, to four digits, and without what a card has not got.
function flThinned(state, points) {
  return JSON.stringify(state, (key, value) => {
    if (key === 'clicks' && value?.lists?.length === 0 && !value.then) return undefined;  // a card may be called so
    if (!Array.isArray(value?.x) || !Array.isArray(value?.y)) return value;
    const of = value.x.length, every = Math.ceil(of / points);
    const some = list => list.filter((_, i) => i % every === 0 || i === of - 1).map(v => Number(v.toPrecision(4)));
    return { ...value, x: some(value.x), y: some(value.y), ...(every > 1 ? { of, every } : {}) };
  });
}

// A value with as many points as were drawn: between those that were kept lies a straight line.
function flFilled(value) {
  const { of, every, ...rest } = value ?? {};
  if (!every) return value;
  const between = list => Array.from({ length: of }, (_, i) => {
    const k = Math.floor(i / every), right = Math.min((k + 1) * every, of - 1), width = right - k * every;
    return width ? list[k] + (i - k * every) / width * (list[k + 1] - list[k]) : list[k];
  });
  return { ...rest, x: between(rest.x), y: between(rest.y) };
}

/** The state of a lesson, so short that SCORM keeps it: it loses points of curves first, then clicks, then curves. */
export function flSuspended(state, space = FL_SPACE) {
  const without = fields => ({ ...state, cards: Object.fromEntries(Object.entries(state.cards).map(([id, card]) => (
    [id, { ...card, ...fields(card) }]))) });
  const few = FL_KEPT_POINTS.at(-1), clicks = undefined;
  const ways = [...FL_KEPT_POINTS.map(points => () => flThinned(state, points)),
    () => flThinned(without(() => ({ clicks })), few),
    () => flThinned(without(({ value }) => ({ clicks, value: value?.x ? null : value })), few)];
  for (const way of ways) {
    const text = way();
    if (text.length <= space) return text;
  }
  return JSON.stringify({ place: state.place, completed: state.completed, cards: {} });
}

/** Seconds as SCORM 1.2 writes them, HHHH:MM:SS. */
export function flDuration(seconds) {
  const two = number => String(Math.floor(number)).padStart(2, '0');
  return [two(seconds / 3600).padStart(4, '0'), two(seconds / 60 % 60), two(seconds % 60)].join(':');
}

/** A statement of what was told (see lessons/js/document.js), without an actor, whom the course knows. */
export function flStatement(lesson, told) {
  const whole = `urn:feedback-lab:lesson:${lesson.id}`, verb = name => ({ id: FL_VERBS + name, display: { en: name } });
  if (told.kind === 'completed') {
    const { points, of } = told, score = of ? { scaled: points / of, raw: points, min: 0, max: of } : undefined;
    return { verb: verb('completed'), result: { completion: true, score },
      object: { id: whole, definition: { name: { [lesson.lang]: lesson.title }, type: `${FL_ACTIVITIES}lesson` } } };
  }
  return { verb: verb('answered'),
    result: { success: told.right, response: told.response, score: { scaled: told.points, min: 0, max: 1 } },
    object: { id: `${whole}:${told.card}`, definition: { name: { [lesson.lang]: told.question },
      type: `${FL_ACTIVITIES}cmi.interaction`,
      interactionType: { choice: 'choice', number: 'numeric' }[told.ask] ?? 'other' } },
    context: { contextActivities: { parent: [{ id: whole }] } } };
}

// Answers messages of the page around this one: it asks once with { feedbackLab: 'xapi' }, and gets every statement.
export class Listener {
  constructor(lesson) {
    this.lesson = lesson;
    this.made = [];
    this.to = null;
    if (window.parent === window) return;
    addEventListener('message', message => this._hear(message));
    for (const message of /** @type {any} */ (globalThis).flEarly ?? []) this._hear(message);  // before this script ran
  }

  _hear({ source, data, origin }) {
    if (source !== window.parent || data?.feedbackLab !== 'xapi') return;
    this.to = origin === 'null' ? '*' : origin;
    for (const statement of this.made) this._send(statement);
  }

  told(told) {
    const statement = { ...flStatement(this.lesson, told), timestamp: new Date().toISOString() };
    this.made.push(statement);
    this._send(statement);
  }

  _send(statement) {
    if (this.to) window.parent.postMessage({ feedbackLab: 'xapi', statement }, this.to);
  }
}

// Keeps the state of the lesson in the LMS, and tells it answers, score and completion.
export class Scorm {
  constructor(api, lesson) {
    this.api = api;
    this.lesson = lesson;
    this.began = Date.now();
    this.questions = lesson.cards.filter(card => card.ask);
    this.points = new Map();
    api.LMSInitialize('');
    if (['', 'not attempted', 'unknown'].includes(this._get('cmi.core.lesson_status'))) {
      this._set('cmi.core.lesson_status', 'incomplete');
    }
    this.number = Number(this._get('cmi.interactions._count')) || 0;
    addEventListener('pagehide', () => this.finish());
  }

  read() {
    try {
      const state = JSON.parse(this._get('cmi.suspend_data') || 'null');
      for (const [id, card] of Object.entries(state?.cards ?? {})) {
        card.value = flFilled(card.value);
        if (card.points !== null) this.points.set(id, card.points);
      }
      return state;
    } catch { return null; }
  }

  write(_, state) {
    this._set('cmi.suspend_data', flSuspended(state));
    this._set('cmi.core.lesson_location', String(state.place + 1));
    this.api.LMSCommit('');
  }

  told(told) {
    if (told.kind === 'answered') this._answered(told);
    else this._set('cmi.core.lesson_status', 'completed');
    const sum = [...this.points.values()].reduce((all, one) => all + one, 0), of = this.questions.length;
    if (of) {
      for (const [name, value] of [['min', 0], ['max', 100], ['raw', Math.round(100 * sum / of)]]) {
        this._set(`cmi.core.score.${name}`, String(value));
      }
    }
    this.api.LMSCommit('');
  }

  _answered({ card, ask, value, points, right }) {
    this.points.set(card, points);
    const here = `cmi.interactions.${this.number}`;
    const kind = { choice: 'choice', number: 'numeric' }[ask] ?? 'performance';
    this.number += 1;
    this._set(`${here}.id`, card);
    this._set(`${here}.type`, kind);
    this._set(`${here}.student_response`, kind === 'performance' ? 'curve' : String(value));
    this._set(`${here}.result`, right ? 'correct' : 'wrong');
  }

  finish() {
    if (this.finished) return;
    this.finished = true;
    const done = this._get('cmi.core.lesson_status') === 'completed';
    this._set('cmi.core.exit', done ? '' : 'suspend');
    this._set('cmi.core.session_time', flDuration((Date.now() - this.began) / 1000));
    this.api.LMSCommit('');
    this.api.LMSFinish('');
  }

  _get(name) { return String(this.api.LMSGetValue(name) ?? ''); }

  _set(name, value) { this.api.LMSSetValue(name, value); }
}
