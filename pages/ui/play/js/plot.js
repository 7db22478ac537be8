// Shared by the parts of a chart of curves: elements, scales, and places along a curve.

// Make an element of SVG.
export function flShape(tag, attributes, parent) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

// The path along places, with a gap where there is no value. jumps : whether it goes in steps.
export function flPath(across, down, jumps = false) {
  let d = '', pen = false;
  for (let i = 0; i < across.length; i += 1) {
    if (!Number.isFinite(down[i]) || !Number.isFinite(across[i])) { pen = false; continue; }
    const [a, b] = [across[i].toFixed(1), down[i].toFixed(1)];
    d += !pen ? `M${a} ${b}` : jumps ? `H${a}V${b}` : `L${a} ${b}`;
    pen = true;
  }
  return d;
}

export function flBox(name, parent) {
  const made = document.createElement('div');
  made.className = name;
  parent.append(made);
  return made;
}

// The scale from values to pixels of the plotting area and back.
export function flScale(axis, down) {
  const log = axis.type === 'log', length = axis._length, [low, high] = axis.range, unit = length / (high - low);
  const along = value => ((log ? (value > 0 ? Math.log10(value) : -Infinity) : value) - low) * unit;
  return {
    length, low, unit, start: axis._offset,
    place: value => (value === null ? NaN : down ? length - along(value) : along(value)),
    value: pixel => (log ? 10 ** (pixel / unit + low) : pixel / unit + low),
  };
}

// The index of the last point at or before a step that has a value; -1 if there is none.
export function flBefore({ x, y }, step) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] <= step) low = middle + 1; else high = middle;
  }
  while (low > 0 && !Number.isFinite(y[low - 1])) low -= 1;
  return low - 1;
}

// The tops of names as near to their curves as they can be, in order, without overlap and within the height. Names
// that would overlap form a block, which stands where its mean wants to be. Sorts the ends from above to below.
export function flSpread(ends, length) {
  ends.sort((a, b) => a.down - b.down);
  const blocks = [];
  let above = 0;
  for (const { down, height } of ends) {
    blocks.push({ start: down + 4 - height / 2 - above, count: 1 });
    above += height;
    while (blocks.length > 1 && blocks.at(-2).start > blocks.at(-1).start) {
      const [a, b] = blocks.splice(-2), count = a.count + b.count;
      blocks.push({ start: (a.start * a.count + b.start * b.count) / count, count });
    }
  }
  let top = 0;
  const starts = blocks.flatMap(({ start, count }) => Array(count).fill(start));
  return ends.map(({ height }, k) => {
    const place = Math.max(0, Math.min(starts[k], length - above)) + top;
    top += height;
    return place;
  });
}
