// A lesson as the runner plays it, and what the runner is connected to: the app (host.js) or files (files.js).
// pages/ui/lessons/document.py makes the document, and says in what units its numbers are.

/**
 * @typedef {object} Lesson a document of pages/ui/lessons/document.py; texts are HTML unless said otherwise
 * @property {string} id
 * @property {string} title a plain text
 * @property {any[]} cards
 * @property {{ text: string, page: string, href: string }[]} next things to try
 * @property {string} free address of the lab with the settings of the last card
 */

/**
 * @typedef {object} Given what a host gives with each change
 * @property {Lesson} lesson
 * @property {number} card the number of the card, from 0, to which the rest belongs
 * @property {string | null} run name of the recording that the player then has, null for a card without a player
 * @property {Record<string, number>} truths what came out, by the id of the card: of its question, or of its `found`
 * @property {Record<string, any> | null} tally the counts of a class, by the id of the card
 * @property {string} [code] of the class, '' for none
 * @property {string[]} changed keys of the settings that the person has changed on this card
 * @property {Searches | null} hand where the searches of this card stand
 */

/** @typedef {{ lists: number[][], then: boolean }} Clicked places, from 1, that a person clicked in each list; `then`:
 *   whether the simulated user has gone on */

/** @typedef {{ image?: string, label: string, grade?: number }} Face a document; `grade` from 0 to 1 */

/**
 * @typedef {object} Searches where a person stands who is the user. `lists` and `then` are those that led there.
 * @property {number[][]} lists
 * @property {boolean} then
 * @property {number} of how many lists the person answers
 * @property {number} more how many searches the simulated user then answers
 * @property {{ of: 'user' | 'topic' | 'query', what: string } | null} wanted whom the person stands in for, or what the
 *   person looks for, in HTML
 * @property {Face[] | null} list the next one to answer
 * @property {{ before: Face[], after: Face[] } | null} first the first list, as it was shown and as it is ordered now
 * @property {any | null} [chart] a curve of the whole run: { title, data, layout } of Plotly
 * @property {{ image: string } | null} [map] weights as a picture
 * @property {boolean} [counts] whether nothing computes, so that clicks count as one of a few that were recorded
 */

/**
 * @typedef {{ value: any, played: boolean, done: boolean, points: number | null, clicks: Clicked }} KeptCard
 */

/**
 * @typedef {object} State what is kept of a lesson, for a person who comes back
 * @property {number} place the card
 * @property {boolean} completed
 * @property {Record<string, KeptCard>} cards
 */

/**
 * @typedef {{ kind: 'answered', card: string, ask: string, question: string, value: any, response: string,
 *   right: boolean, points: number } | { kind: 'completed', points: number, of: number }} Told
 * what a course hears: an answer once it has been compared with what came out, from 0 to 1 points, and the end
 */

/**
 * @typedef {object} Host
 * @property {(index: number) => void} card the person has turned to a card; the same once more asks for `truths`
 * @property {(given: { card: string, value: any }) => void} answer counts a prediction in the class
 * @property {(clicked: Clicked) => void} hand where the person's clicks have led
 * @property {(href: string) => string} link a whole address, or '' for what cannot be opened from here
 * @property {{ read: (id: string) => State | null, write: (id: string, state: State) => void }} store
 * @property {(told: Told) => void} report
 */

// The store: of the browser, or of the page while it is open where the browser refuses.
export const flStore = {
  kept: new Map(),

  read(id) {
    let stored = null;
    try { stored = JSON.parse(localStorage.getItem(`fl-lesson:${id}`)); } catch { /* refused, or no JSON */ }
    return stored ?? this.kept.get(id) ?? null;
  },

  write(id, state) {
    this.kept.set(id, structuredClone(state));
    try { localStorage.setItem(`fl-lesson:${id}`, JSON.stringify(state)); } catch { /* kept until the page is left */ }
  },
};
