// The English texts of a recording in the language of the page: titles of charts and of what stands beside them, of
// axes and marks, and settings. Learners keep the names of the literature. What has no translation is said in English.

import { flLanguage, flSay } from '../../draw/js/texts.js';

// 'Error rate (0 to 1), mean of 100 steps': a name, its range in brackets, and over how many steps it is a mean.
export function flNamed(title) {
  const [, name, range, count, units] = /^(.*?)(?: \(([^()]*)\))?(?:, mean of ([\d,]+) (\w+))?$/.exec(title) ?? [];
  if (name === undefined) return title;
  const said = flSay(name) + (range === undefined ? '' : ` (${flCounted(range)})`);
  return count === undefined ? said : flSay('{name}, mean of {count} {units}', { name: said, count: flDots(count),
    units: flSay(units) });
}

const flDots = count => (flLanguage() === 'en' ? count : count.replaceAll(',', '.'));

// 'at most 2,000', of which a table has 'at most {count}'
function flCounted(text) {
  const [count = ''] = /\d[\d,]*$/.exec(text) ?? [], said = flSay(text);
  if (!count || said !== text) return said;
  const known = text.replace(count, '{count}');
  return flSay(known, { count: flDots(count) });
}

// A mark in words, of which a table has the sentence with {0}, {1} … in the places of numbers, documents and queries.
export function flMark(text) {
  const parts = [], keep = part => `{${parts.push(part) - 1}}`;
  const known = text.replace(FL_PARTS, keep), said = flSay(known, { ...parts.map(flAsHere) });
  return flSay(known) === known ? text : said;
}

const FL_PARTS = /(?<=of query ).+?(?=, falls)|−?\bd?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?/g;
const flAsHere = part => (/^−?[\d,.]+$/.test(part) ? part.replace(/[,.]/g, sign => (sign === ',' ? '.' : ',')) : part);

/** @param {import('./protocol.js').Payload} payload */
export function flSpoken(payload) {
  if (flLanguage() === 'en') return payload;
  const titled = one => ({ ...one, title: flNamed(one.title) });
  const labelled = one => ({ ...one, label: flSay(one.label), ...one.short && { short: flSay(one.short) } });
  const strip = one => ({ ...one, lapse: flSay(one.lapse), title: flSay('{title}, one row for each replicate',
    { title: flNamed(one.quantity) }) });
  const { charts, events, film, learners, legend, scene } = payload;
  return { ...payload, charts: charts.map(chart => flAxis(titled(chart))), learners: learners.map(labelled),
    legend: legend.map(labelled),
    scene: scene && { ...titled(scene), change: scene.change && titled(scene.change) },
    film: film && { ...film, strips: film.strips?.map(strip) },
    events: { kinds: events.kinds.map(titled), list: events.list.map(one => ({ ...one, text: flMark(one.text) })) } };
}

// The axis below curves is called 'step t', and each curve as its learner.
function flAxis(chart) {
  const { data, layout } = chart, [unit, t] = (layout?.xaxis?.title?.text ?? '').split(' ');
  if (t !== 't') return chart;
  const title = { ...layout.xaxis.title, text: `${flSay(unit)} t` };
  return { ...chart, data: data.map(curve => ({ ...curve, name: curve.name && flSay(curve.name) })),
    layout: { ...layout, xaxis: { ...layout.xaxis, title } } };
}
