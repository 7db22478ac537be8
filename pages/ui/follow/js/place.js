// Where a page is: its name, its settings in the address, and its player.

import { flShared } from '../../draw/js/library.js';

export const flPlace = {
  get page() { return decodeURIComponent(location.pathname.split('/').at(-1)); },

  get player() {
    const { player } = flShared;
    return player?.payload && !player.gone ? player : null;
  },

  // The settings in the address. left : names of those that are no settings of the page's run.
  link(left) {
    const query = new URLSearchParams(location.search);
    for (const name of left) query.delete(name);
    return String(query);
  },

  // Puts settings into the address, beside those that are the person's own.
  settle(link, own, more) {
    const query = new URLSearchParams(link), here = new URLSearchParams(location.search);
    for (const name of own) if (here.has(name)) query.set(name, here.get(name));
    for (const [name, value] of Object.entries(more)) query.set(name, value);
    history.replaceState(history.state, '', `${location.pathname}?${query}${location.hash}`);
  },

  // Whether two links say the same.
  same(a, b) {
    const sorted = link => {
      const query = new URLSearchParams(link);
      query.sort();
      return String(query);
    };
    return sorted(a) === sorted(b);
  },
};
