// What a course hears of a lesson: SCORM 1.2 where the page is a package in an LMS, and xAPI statements by messages to a
// page that has this one in a frame and asks for them. Neither gets a name from here.

const FL_SPACE = 4096;  // letters that SCORM 1.2 keeps for a lesson
const FL_KEPT_POINTS = 16;  // points of a drawn curve that are kept there
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

/** The state of a lesson in so few letters that SCORM keeps it: of drawn curves some points, to four digits. */
export function flSuspended(state, space = FL_SPACE) {
  const short = (list, every) => list.filter((_, i) => i % every === 0 || i === list.length - 1).map(v => (
    typeof v === 'number' ? Number(v.toPrecision(4)) : v));
  const fewer = (_, value) => {
    if (!Array.isArray(value?.x) || !Array.isArray(value?.y)) return value;
    const every = Math.max(1, Math.ceil(value.x.length / FL_KEPT_POINTS));
    return { ...value, x: short(value.x, every), y: short(value.y, every) };
  };
  const text = JSON.stringify(state, fewer);
  if (text.length <= space) return text;
  const cards = Object.fromEntries(Object.entries(state.cards).map(([id, { played, done, points }]) => (
    [id, { value: null, played, done, points }])));
  return JSON.stringify({ ...state, cards });
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
      object: { id: whole, definition: { name: { en: lesson.title }, type: `${FL_ACTIVITIES}lesson` } } };
  }
  return { verb: verb('answered'),
    result: { success: told.right, response: told.response, score: { scaled: told.points, min: 0, max: 1 } },
    object: { id: `${whole}:${told.card}`, definition: { name: { en: told.question },
      type: `${FL_ACTIVITIES}cmi.interaction`, interactionType: { choice: 'choice', number: 'numeric' }[told.ask] ?? 'other' } },
    context: { contextActivities: { parent: [{ id: whole }] } } };
}

// Answers messages of the page around this one: it asks once with { feedbackLab: 'xapi' }, and gets every statement.
export class Listener {
  constructor(lesson) {
    this.lesson = lesson;
    this.made = [];
    this.to = null;
    if (window.parent === window) return;
    addEventListener('message', ({ source, data, origin }) => {
      if (source !== window.parent || data?.feedbackLab !== 'xapi') return;
      this.to = origin === 'null' ? '*' : origin;
      for (const statement of this.made) this._send(statement);
    });
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
      for (const [id, { points }] of Object.entries(state?.cards ?? {})) if (points !== null) this.points.set(id, points);
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
    const here = `cmi.interactions.${this.number}`, kind = { choice: 'choice', number: 'numeric' }[ask] ?? 'performance';
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
