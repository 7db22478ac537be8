// Gives the recording the colours of the page's scheme, light or dark, before it is played. It was made in one of the
// two; `data-colors` of its element says in which, and holds pairs of a colour in it and its like in the other.

{
  const element = document.getElementById('fl-recording'), recording = /** @type {any} */ (globalThis).flRecording;
  const { made, text, curves } = JSON.parse(element.dataset.colors);
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

  if (document.documentElement.dataset.scheme !== made) {
    const payload = swap(recording.payload, text);
    for (const name of ['learners', 'legend', 'ghosts', 'futures', 'other'])
      payload[name] = swap(payload[name] ?? [], curves);
    payload.charts = payload.charts.map(recolored);
    recording.payload = payload;
  }
}
