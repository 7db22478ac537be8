// Gives the recording the colours of the person's scheme, light or dark, before it is played. The page was made in one of
// the two; `data-colors` of the payload holds pairs of a colour in that one and its like in the other.

{
  const element = document.getElementById('fl-payload');
  const { made, text, curves } = JSON.parse(element.dataset.colors);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const swap = (value, pairs) => JSON.parse(
    pairs.reduce((json, [from, to]) => json.replaceAll(from, to), JSON.stringify(value)));
  if (dark.matches !== (made === 'dark')) {
    const payload = swap(JSON.parse(element.textContent), text);
    // the colours of learners only where they stand for learners: pictures use some of them for classes
    for (const name of ['learners', 'legend', 'ghosts', 'futures']) payload[name] = swap(payload[name] ?? [], curves);
    payload.charts = payload.charts.map(chart => chart.kind === 'curves' ? swap(chart, curves) : chart);
    element.textContent = JSON.stringify(payload);
  }
  dark.addEventListener('change', () => location.reload());
}
