// The map of figures: one stop of the Tab key, in which arrows lead from tile to tile, and a line that tells the title.

/**
 * Make a new map ready for keys and pointers.
 * @param {Element} root the part of the page that may hold a map
 */
export function tilesOf(root) {
  const map = /** @type {HTMLElement | null} */ (root.querySelector('.fl-map'));
  const told = /** @type {HTMLElement | null} */ (root.querySelector('.fl-told'));
  if (!map || !told) return;
  const tiles = /** @type {HTMLElement[]} */ ([...map.querySelectorAll('a[data-told]')]);
  tiles.forEach((tile, place) => {
    tile.tabIndex = place ? -1 : 0;
  });
  const tell = (/** @type {Event} */ event) => {
    const tile = /** @type {Element} */ (event.target).closest('a[data-told]');
    if (tile instanceof HTMLElement) told.textContent = tile.dataset.told ?? '';
  };
  map.addEventListener('pointerover', tell);
  map.addEventListener('focusin', event => {
    tell(event);
    if (tiles.includes(/** @type {HTMLElement} */ (event.target)))
      for (const tile of tiles) tile.tabIndex = tile === event.target ? 0 : -1;
  });
  map.addEventListener('keydown', event => {
    const place = tiles.indexOf(/** @type {HTMLElement} */ (event.target));
    const next = place < 0 || event.ctrlKey || event.metaKey || event.altKey ? -1 : nextTile(tiles, place, event.key);
    if (next < 0) return;
    event.preventDefault();
    tiles[next].focus();
  });
}

/**
 * Return the tile to which a key leads, -1 for other keys. Up and down lead to the nearest tile of the next row.
 * @param {{ offsetLeft: number, offsetTop: number }[]} tiles
 * @param {number} place
 * @param {string} key
 */
export function nextTile(tiles, place, key) {
  const last = tiles.length - 1;
  if (key === 'ArrowRight') return Math.min(last, place + 1);
  if (key === 'ArrowLeft') return Math.max(0, place - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return -1;
  const from = tiles[place], sign = key === 'ArrowDown' ? 1 : -1;
  const rows = tiles.map(tile => tile.offsetTop).filter(top => (top - from.offsetTop) * sign > 0);
  if (!rows.length) return place;
  const row = sign > 0 ? Math.min(...rows) : Math.max(...rows);
  const there = tiles.map((tile, number) => ({ number, tile })).filter(({ tile }) => tile.offsetTop === row);
  const far = (/** @type {{ offsetLeft: number }} */ tile) => Math.abs(tile.offsetLeft - from.offsetLeft);
  return there.reduce((best, one) => (far(one.tile) < far(best.tile) ? one : best)).number;
}
