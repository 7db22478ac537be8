// How far a drawn curve lies from the one that came out.

import { flCount, flNumber } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';

// The value of a curve at a step, between its points; undefined outside of them.
function flValueAt({ x, y }, step) {
  const i = x.findIndex((at, k) => at >= step && Number.isFinite(y[k]));
  if (i < 0) return undefined;
  if (x[i] === step) return y[i];
  let before = i - 1;
  while (before >= 0 && !Number.isFinite(y[before])) before -= 1;
  return before < 0 ? undefined : y[before] + (step - x[before]) / (x[i] - x[before]) * (y[i] - y[before]);
}

// Compares up to a step. scale : of the axis, with `place` from values to pixels and `length`; log : whether its ticks
// are powers. Returns null where nothing can be compared.
export function flApart(drawn, real, scale, log, until) {
  const pairs = drawn.x.map((step, i) => ({ step, drawn: drawn.y[i], real: flValueAt(real, step) }))
    .filter(pair => pair.step <= until && Number.isFinite(pair.real) && (!log || (pair.real > 0 && pair.drawn > 0)))
    .map(pair => ({ ...pair, far: Math.abs(scale.place(pair.drawn) - scale.place(pair.real)) / scale.length }));
  if (!pairs.length) return null;
  const mean = of => pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  return {
    share: mean(pair => pair.far),
    distance: log ? Math.exp(mean(({ drawn, real }) => Math.abs(Math.log(drawn / real))))
      : mean(({ drawn, real }) => Math.abs(drawn - real)),
    worst: pairs.reduce((worst, pair) => (pair.far > worst.far ? pair : worst)),
  };
}

const flClose = share => (share < 0.05 ? 1 : share < 0.15 ? 0.5 : 0);

// Returns a sentence on how close it is, one or two with numbers, and the points for it, of one.
export function flApartWords({ share, distance, worst }, log, format, unit) {
  const number = value => flNumber(Number(value.toPrecision(2)), format);
  const points = flClose(share), close = points === 1 ? flSay('Your curve runs close to the real one.')
    : flSay(points ? 'Your curve is near the real one, and not the same.' : 'Your curve is far from the real one.');
  const mean = log ? flSay('On average the two differ by a factor of {by}.', { by: flNumber(distance, '.2g') })
    : flSay('On average they lie {by} apart.', { by: number(distance) });
  const most = flSay('They are furthest apart at {unit} {t}: you drew {drawn}, and it came out as {real}.', {
    unit: flUnits(unit).unit, t: flCount(worst.step), drawn: number(worst.drawn), real: number(worst.real) });
  return [close, share < 0.02 ? mean : `${mean} ${most}`, points];
}
