// The view for a projector: what happens in a step and the first charts share the window, so that nobody scrolls.

const FL_FIT = {  // in pixels
  width: [430, 430, 640],  // of the smallest place that is shared, with 0, 1, more learners in the scene
  height: 400,  // of the smallest window that is shared; in a smaller one the page scrolls
  cell: [252, 150],  // of the smallest chart
  gap: [19, 6],  // between charts
  head: 34,  // title of a chart
  margin: 10,  // below
};
// charts in the window; how much larger the scene is drawn, also on a projector
const FL_MOST = { charts: 4, zoom: 1.6, large: 2.4 };

export class Projector {
  constructor(player, grid) {
    this.player = player;
    this.grid = grid;
    this.change = () => {
      if (this.on && player.payload && !player.gone && this._space().join() !== this.space) player.draw();
    };
    addEventListener('resize', this.change);
    this.seen = new ResizeObserver(this.change);  // what stands above has become higher or lower
    this.seen.observe(player.bar);
    const page = player.root.closest('[data-testid=stMainBlockContainer]');
    if (page) this.seen.observe(page);
  }

  // Gives scene and charts their places and heights, before they are drawn.
  arrange(payload) {
    const { grid } = this.grid, [width, height] = this._space();
    this.space = [width, height].join();
    this.on = Boolean(payload.fit);
    const { scene } = this.player, least = FL_FIT.width[Math.min(2, scene.views.length)];
    const fits = this.on && width >= least && innerHeight >= FL_FIT.height;
    grid.classList.toggle('fl-fit', fits);
    grid.parentElement.classList.toggle('fl-one-screen', fits);
    const { row, bar } = this.player;
    if (fits !== (row.parentElement === bar)) fits ? bar.append(row) : bar.after(row);
    if (!fits) { this._free(); return; }
    const shown = scene.scene && !grid.querySelector('.fl-s-closed');
    const held = shown && scene.scene.kind === 'picture' ? scene.scene.chart : null;
    const charts = payload.charts.filter(chart => chart.id !== held);
    const wide = Boolean(held && payload.charts.find(chart => chart.id === held)?.wide);
    const below = wide && height > width;  // a wide scene then stands on top
    const beside = shown && !below ? Projector.share(scene, held) : 0;
    const top = below ? Math.round(height * 0.5) : 0;
    const room = [width * (1 - beside) - (beside ? FL_FIT.gap[0] : 0), height - top];
    const [columns, rows] = Projector.cells(charts.length, room, below ? 1 : 2);
    const high = Math.floor((room[1] - (rows - 1) * FL_FIT.gap[1]) / rows) - FL_FIT.head;
    for (const chart of charts) Projector.size(chart, high, payload.present);
    for (const chart of payload.charts) {
      if (chart.id === held) Projector.size(chart, (below ? top : height) - FL_FIT.head, payload.present);
    }
    const first = beside ? `minmax(0, ${Math.round(width * beside)}px) ` : '';
    grid.style.gridTemplateColumns = `${first}repeat(${columns}, minmax(0, 1fr))`;
    grid.style.setProperty('--fl-span', rows);
    grid.classList.toggle('fl-fit-below', below);
    this._enlarge(scene, shown && !held ? height : 0, payload.present ? FL_MOST.large : FL_MOST.zoom);
    if (held) Projector.shrink(scene.change, below ? top : height);
  }

  _free() {
    this.grid.grid.style.gridTemplateColumns = '';
    this._enlarge(this.player.scene, 0);
  }

  // Draws the scene as large as its height allows; lists that are too long then end earlier.
  _enlarge({ body, inside, element, change }, whole, limit = 1) {
    body.style.zoom = change.body.style.zoom = '';
    const height = whole && whole - Math.ceil(body.getBoundingClientRect().top - element.getBoundingClientRect().top);
    inside.style.maxHeight = height ? `${height}px` : '';
    if (!height || !body.offsetHeight) return;
    Projector.shrink(change, height, 1.3);
    const most = Math.min(limit, height / body.offsetHeight);
    body.style.zoom = Math.max(0.8, most);
    for (let i = 0; i < 4 && inside.scrollHeight > height + 1 && body.style.zoom > 0.8; i += 1) {
      body.style.zoom = Math.max(0.8, body.style.zoom * 0.93);  // in a narrower place its lines break
    }
  }

  // Draws what the step changed as large as it fits, between three quarters and `most` of its size.
  static shrink({ body, element }, height, most = 1) {
    body.style.zoom = '';
    const { offsetHeight } = body, room = height - body.offsetTop + element.offsetTop;
    if (offsetHeight) body.style.zoom = Math.max(0.75, Math.min(most, room / offsetHeight));
  }

  // Width and height of what is left of the window below the controls.
  _space() {
    const { grid } = this.grid, room = grid.closest('[data-testid=stMain]') ?? document.scrollingElement;
    const bar = document.querySelector('.fl-follow-bar');  // of one who leads a class
    if (bar) this.seen.observe(bar);
    const taken = (bar?.offsetHeight ?? 0) + FL_FIT.margin;
    return [grid.clientWidth, Math.floor(innerHeight - grid.getBoundingClientRect().top - room.scrollTop - taken)];
  }

  // How much of the width belongs to the scene.
  static share(scene, held) {
    if (scene.change.face) return held ? 0.5 : [0, 0.45, 0.53][scene.views.length] ?? 0.53;
    if (held) return 0.44;
    return [0, 0.3, 0.4][scene.views.length] ?? 0.48;
  }

  // Columns and rows of the charts in view: as many charts as can be read, each as large as possible.
  /** @param {number[]} room */
  static cells(number, room, most) {
    const [width, height] = room;
    let best = [1, 1, -1];
    for (let columns = 1; columns <= 3; columns += 1) {
      for (let rows = 1; rows <= most; rows += 1) {
        const wide = (width - (columns - 1) * FL_FIT.gap[0]) / columns;
        const high = (height - (rows - 1) * FL_FIT.gap[1]) / rows - FL_FIT.head;
        if ((wide < FL_FIT.cell[0] || high < FL_FIT.cell[1]) && columns * rows > 1) continue;
        const seen = Math.min(number, columns * rows, FL_MOST.charts), size = Math.min(wide, 1.9 * high);
        const worth = seen * 1e5 + size;
        if (worth > best[2]) best = [columns, rows, worth];
      }
    }
    return best;
  }

  static size(chart, height, large) {
    chart.height = height;
    if (!chart.layout) return;
    const margin = large ? { ...chart.layout.margin, t: 14, l: 54, b: 42 } : chart.layout.margin;  // larger numbers
    chart.layout = { ...chart.layout, height, margin };
  }

  destroy() {
    removeEventListener('resize', this.change);
    this.seen.disconnect();
  }
}
