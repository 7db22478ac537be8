// Paints tables of colours and points on a canvas over a Plotly figure while a run plays, some fifty times as fast as
// Plotly draws them. It is for frames that differ from what Plotly has drawn in nothing but colours, sizes and places
// within axes that stay. Plotly draws the frame at which the playhead comes to rest.

import { flArray } from './packed.js';

export class Painting {
  static shades = new WeakMap();  // colour scale → 256 colours

  constructor(plot) {
    this.plot = plot;
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'fl-painting';
  }

  // Whether a frame can be painted over the figure that Plotly has drawn. What did not change is the same object.
  static fits(drawn, now) {
    return drawn?.layout === now.layout && drawn.data.length === now.data.length && now.data.every((trace, i) => {
      const old = drawn.data[i];
      if (trace.type === 'heatmap') return old.type === trace.type && old.x === trace.x && old.y === trace.y;
      const axes = Painting.axes(trace, now.layout);
      return trace.mode === 'markers' && old.mode === trace.mode && axes.every(axis => axis?.range);
    });
  }

  static axes({ xaxis = 'x', yaxis = 'y' }, layout) {  // x2 is the axis xaxis2 of the layout
    return [xaxis, yaxis].map(id => layout[`${id[0]}axis${id.slice(1)}`]);
  }

  // The values of a list, of an array as plotly.js reads it, or of texts that repeat.
  static values(given) {
    if (!given || Array.isArray(given)) return given;
    if (given.texts) return Array.from(Painting.values(given.which), k => given.texts[k]);
    return given.bdata ? flArray(given) : given;
  }

  static rows(given) {
    const values = Painting.values(given);
    if (Array.isArray(values)) return values;
    const columns = Number(given.shape.split(',')[1]);
    return Array.from({ length: values.length / columns }, (_, i) => values.subarray(i * columns, (i + 1) * columns));
  }

  static colors(scale) {
    if (!Painting.shades.has(scale)) {
      const stops = scale.map(([at, color]) => [at, color.match(/[\d.]+/g).map(Number)]);
      Painting.shades.set(scale, Array.from({ length: 256 }, (_, i) => {
        const k = Math.max(1, stops.findIndex(([at]) => at >= i / 255));
        const [[low, a], [high, b]] = [stops[k - 1], stops[k]], share = high > low ? (i / 255 - low) / (high - low) : 0;
        const [red, green, blue, alpha = 1] = a.map((from, j) => from + share * (b[j] - from));
        return `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${alpha})`;
      }));
    }
    return Painting.shades.get(scale);
  }

  paint({ data }) {
    const { canvas, plot } = this, { width, height } = plot._fullLayout, fine = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * fine)) canvas.width = Math.round(width * fine);
    if (canvas.height !== Math.round(height * fine)) canvas.height = Math.round(height * fine);
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const brush = canvas.getContext('2d');
    brush.setTransform(fine, 0, 0, fine, 0, 0);
    brush.clearRect(0, 0, width, height);
    for (const trace of data) {
      const [x, y] = Painting.axes(trace, plot._fullLayout);
      const along = value => x._offset + x._length * (value - x.range[0]) / (x.range[1] - x.range[0]);
      const down = value => y._offset + y._length * (1 - (value - y.range[0]) / (y.range[1] - y.range[0]));
      brush.save();
      brush.beginPath();
      brush.rect(x._offset, y._offset, x._length, y._length);
      brush.clip();
      if (trace.type === 'heatmap') Painting.table(brush, trace, along, down);
      else Painting.points(brush, trace, along, down);
      brush.restore();
    }
    if (!canvas.isConnected) plot.append(canvas);
    plot.classList.add('fl-painted');
  }

  // Equal neighbours in a row are painted as one, where no gap divides them.
  static table(brush, { z, x, y, zmin, zmax, colorscale, xgap = 0, ygap = 0 }, along, down) {
    const colors = Painting.colors(colorscale);
    const edges = [[x, along], [y, down]].map(([at, place]) => {
      const values = Painting.values(at), half = (values[1] - values[0] || 1) / 2;
      return [values[0] - half, ...Array.from(values, value => value + half)].map(value => Math.round(place(value)));
    });
    Painting.rows(z).forEach((row, i) => {
      const [top, bottom] = [edges[1][i], edges[1][i + 1]].sort((a, b) => a - b);
      for (let from = 0, to; from < row.length; from = to) {
        for (to = from + 1; !xgap && row[to] === row[from]; to += 1);
        if (row[from] === null || Number.isNaN(row[from])) continue;
        const share = Math.min(1, Math.max(0, (row[from] - zmin) / (zmax - zmin)));
        brush.fillStyle = colors[Math.round(255 * share)];
        brush.fillRect(edges[0][from], top, edges[0][to] - edges[0][from] - xgap, bottom - top - ygap);
      }
    });
  }

  static outlines = {
    circle: (path, x, y, r) => path.arc(x, y, r, 0, 2 * Math.PI),
    square: (path, x, y, r) => path.rect(x - r, y - r, 2 * r, 2 * r),
    diamond: (path, x, y, r) => Painting.corners(path, x, y, 1.3 * r, [[1, 0], [0, 1], [-1, 0], [0, -1]]),
    'triangle-up': (path, x, y, r) => Painting.corners(path, x, y, r, [[-1.155, 0.5], [1.155, 0.5], [0, -1]]),
    cross: (path, x, y, r) => Painting.corners(path, x, y, r, [[1.2, 0.4], [0.4, 0.4], [0.4, 1.2], [-0.4, 1.2],
      [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4], [-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4]]),
  };

  static corners(path, x, y, r, at) {
    at.forEach(([a, b], i) => (i ? path.lineTo(x + r * a, y + r * b) : path.moveTo(x + r * a, y + r * b)));
    path.closePath();
  }

  static points(brush, { x, y, marker }, along, down) {
    const [xs, ys, sizes, colors, symbols] = [x, y, marker.size, marker.color, marker.symbol].map(Painting.values);
    const each = (values, i) => (typeof values === 'object' ? values[i] : values);
    brush.globalAlpha = marker.opacity ?? 1;
    Object.assign(brush, { lineWidth: marker.line?.width ?? 0, strokeStyle: marker.line?.color ?? 'transparent' });
    for (let i = 0; i < (xs?.length ?? 0); i += 1) {
      brush.beginPath();
      const outline = Painting.outlines[each(symbols, i)] ?? Painting.outlines.circle;
      outline(brush, along(xs[i]), down(ys[i]), each(sizes ?? 6, i) / 2);
      brush.fillStyle = each(colors ?? 'grey', i);
      brush.fill();
      if (marker.line?.width) brush.stroke();
    }
  }

  clear() {
    this.canvas.remove();
    this.plot.classList.remove('fl-painted');
  }
}
