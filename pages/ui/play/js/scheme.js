// Gives a recording the colours of the page's scheme, light or dark, before it is played. It was made in one of them.

/**
 * Returns the payload in the page's scheme. colors : in which of the two it was made, and pairs of a colour in it and
 * its like in the other (`colors` of pages/ui/recordings/takeaway.py).
 *
 * @param {import('./protocol.js').Payload} payload
 * @param {{ made: string, text: string[][], curves: string[][] }} colors
 * @returns {import('./protocol.js').Payload}
 */
export function flInScheme(payload, { made, text, curves }) {
  if (document.documentElement.dataset.scheme === made) return payload;
  const swap = (value, pairs) => JSON.parse(
    pairs.reduce((json, [from, to]) => json.replaceAll(from, to), JSON.stringify(value)));

  // The colours of learners only where they stand for learners: some figures say that theirs stand for classes. In
  // these the names of the learners stand above the panels.
  const recolored = chart => {
    const [[, first] = []] = chart.frames?.frames[0] ?? [];
    if (chart.kind === 'html' || first?.layout?.meta?.colors !== 'classes') {
      return chart.kind === 'html' ? chart : swap(chart, curves);
    }
    for (const words of first.layout.annotations ?? []) words.font = swap(words.font, curves);
    return chart;
  };

  const found = swap(payload, text);
  const parts = ['learners', 'legend', 'ghosts', 'futures', 'other'];
  for (const name of parts) found[name] = swap(found[name] ?? [], curves);
  found.charts = found.charts.map(recolored);
  return found;
}
