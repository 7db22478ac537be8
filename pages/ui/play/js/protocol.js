// The messages of the server to the player, and of the player to the server. The server is pages/ui/lab/stage.py;
// pages/ui/play/protocol.py has the same types.
//
// The server sends a payload when its page runs, and one for each `more`. While `pending` is true, the player asks with
// `more`, one question at a time, and tells in it how many keyframes of each picture it has, and how many steps of the
// scene; the server notes that (`has` in its session), and leaves those out of the next payload. Streamlit hands
// nothing over where a payload is the same as the one before, so `answer` counts the payloads that are pending.
//
// The playhead belongs to the player. It tells with `rest` where it has come to a stand. A payload says where it begins
// (`t`: `came` in the server's session), which counts only where the player sees a new `opened`: where a link was
// opened, or where the page has `put` the playhead somewhere; then what the address says does not count.

/**
 * @typedef {object} Payload
 * @property {string} run name of the recording; another one begins anew
 * @property {string} drawn name of how it is drawn; pictures with another one are drawn anew
 * @property {string} revision of the axes; with another one a zoom is given up
 * @property {string} page the lab, as in its address
 * @property {string} title of the lab
 * @property {string} script the address of plotly.js
 * @property {number} steps of the whole run
 * @property {number} reached the step up to which the payload goes
 * @property {number} replicates
 * @property {string} unit what a step is called
 * @property {boolean} complete whether the payload goes as far as the run will
 * @property {boolean} pending whether the server has more to send, or will have
 * @property {number} answer number of the payloads so far that were pending
 * @property {string} failed why the run ended early, or ''
 * @property {string} waiting why nothing comes at the moment, or ''
 * @property {number} t the step at which the playhead begins
 * @property {number} opened number of the times that the server has moved the playhead
 * @property {boolean} put whether the last time counts more than the step in the address
 * @property {string} speed steps a second, or 'max'
 * @property {string} usual_speed that is not written into the address
 * @property {readonly string[]} speeds all, the slowest first
 * @property {boolean} preview whether the run is shown pale before it is played
 * @property {boolean} present whether letters are larger, for a projector
 * @property {boolean} fit whether scene and first charts share the window
 * @property {string} text colour
 * @property {string} grid colour of the grid's lines
 * @property {string} other colour of what is not of a learner
 * @property {Learner[]} learners
 * @property {any[]} legend entries of still_charts.py
 * @property {Chart[]} charts in order
 * @property {{ first: number, charts: Record<string, Record<string, string>>, read?: any } | null} exact values of
 *   single steps, packed
 * @property {{ kinds: any[], list: MarkedEvent[] }} events
 * @property {any | null} film single replicates, see film.py
 * @property {any | null} scene what one replicate did in each step, see scenes.py
 * @property {any[]} ghosts curves of kept runs
 * @property {any[]} futures curves of runs that went on otherwise
 * @property {any[]} asked the questions of these, with their answers
 * @property {DeclaredKnob[]} knobs sliders above the charts
 * @property {Turned | null} turned the stops that are computed of the knob that a hand is near
 */

/**
 * @typedef {object} DeclaredKnob
 * @property {string} key of the setting, as in the address
 * @property {string} label
 * @property {string} symbol or ''
 * @property {string[]} texts the stops
 * @property {number} value the number of the stop at which the run stands
 * @property {number | null} home that of the default, if it is among them
 * @property {string} help
 * @property {boolean} locked
 * @property {string | null} color of the learner to which it belongs
 */

/**
 * @typedef {object} Turned
 * @property {string} key of the knob
 * @property {string} grid name of the stops, the same for all runs that differ in nothing but this knob
 * @property {number} first how many stops were sent before
 * @property {[number, { id: string, slot?: number, range?: number[], lines: any[] }[]][]} stops as of grid.py
 * @property {boolean} complete
 * @property {number} left_out stops that are not computed
 * @property {string} failed
 */

/** @typedef {{ label: string, short: string, color: string, dash: string }} Learner */

/**
 * @typedef {object} Chart
 * @property {string} id
 * @property {string} title
 * @property {import('../../draw/js/terms.js').Term[]} terms words of the title that are explained
 * @property {string} help
 * @property {boolean} wide as wide as the page
 * @property {'curves' | 'figure' | 'html'} kind
 * @property {any[]} [data] traces of Plotly, of curves
 * @property {any} [layout] of Plotly, of curves
 * @property {string} [format] of values, as in Python
 * @property {any[]} [lines] what the traces are
 * @property {number} [height] in pixels
 * @property {Frames} [frames] of other pictures
 */

/** @typedef {{ first: number, at: number[], frames: any[] }} Frames keyframes from number `first` on, see frames.py */

/**
 * @typedef {object} MarkedEvent
 * @property {number} t
 * @property {string} kind
 * @property {number} slot of the learner
 * @property {number} replicate
 * @property {string} text
 * @property {boolean} [common] to all learners
 * @property {number} [cause] the step that brought it
 */

/**
 * @typedef {object} Sent what the player sends, by the name under which it is heard
 * @property {{ run: string, t: number }} rest the playhead stands at a step
 * @property {{ run: string, frames: Record<string, number> }} more a question for another payload; how many frames of
 *   each picture, under 'scene' how many of its steps, and under 'stops' how many stops of a knob, are here
 * @property {Asked & { run: string }} ask a question what would have happened
 * @property {string} speed
 * @property {{ run: string, key: string, value?: number }} knob a hand is near a knob, or has left it at a stop
 * @property {boolean} film single replicates are wanted
 */

/** @typedef {{ slot: number, t: number, replicate: number, kind: string, id: string, forget?: boolean }} Asked */

/**
 * @typedef {object} Host what the player is connected to, the app (host.js) or a page without a server (alone.js)
 * @property {boolean} [alone]
 * @property {any} [library] what draws curves in place of plotly.js
 * @property {(t: number) => void} rest
 * @property {(frames: Record<string, number>) => void} more
 * @property {(id: string) => void} speed
 * @property {(asked: Asked) => void} [ask]
 * @property {(turned: { key: string, value?: number }) => void} [knob]
 * @property {() => void} film
 */
