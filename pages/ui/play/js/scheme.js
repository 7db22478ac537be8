// Gives the recording the colours of the page's scheme, light or dark, before it is played. It was made in one of the
// two; `data-colors` of the payload says in which, and holds pairs of a colour in it and its like in the other.

{
  const element = document.getElementById('fl-payload');
  const { made, text, curves } = JSON.parse(element.dataset.colors);
  const swap = (value, pairs) => JSON.parse(
    pairs.reduce((json, [from, to]) => json.replaceAll(from, to), JSON.stringify(value)));
  if (document.documentElement.dataset.scheme !== made) {
    const payload = swap(JSON.parse(element.textContent), text);
    // the colours of learners only where they stand for learners: pictures use some of them for classes
    for (const name of ['learners', 'legend', 'ghosts', 'futures']) payload[name] = swap(payload[name] ?? [], curves);
    payload.charts = payload.charts.map(chart => chart.kind === 'curves' ? swap(chart, curves) : chart);
    element.textContent = JSON.stringify(payload);
  }
}
