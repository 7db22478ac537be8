// The gallery of the home page: a few demos, and all of them by topic once they are asked for.

import { flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { flLength, flLink } from '../../lessons/shelf/js/starts.js';

export function flGallery(place, demos, open) {
  const cards = some => flElement('ul.fl-home-cards', {}, ...some.map(demo => flCard(demo, open)));
  const more = flElement('button.fl-home-more', {}, flSay('All {count} demos', { count: demos.length }));
  more.type = 'button';
  more.addEventListener('click', () => {
    const groups = [...new Set(demos.map(demo => demo.group))].map(group =>
      flElement('section', {}, flElement('h3', {}, group), cards(demos.filter(demo => demo.group === group))));
    place.replaceChildren(...groups);
    place.querySelector('a').focus();
  });
  const first = demos.filter(demo => demo.first);
  place.replaceChildren(cards(first), ...first.length < demos.length ? [more] : []);
}

function flCard(demo, open) {
  const picture = flElement('span.fl-home-picture');
  picture.innerHTML = demo.picture;  // made by this project
  picture.setAttribute('aria-hidden', 'true');
  const id = `fl-home-${demo.id}`, name = flElement('span.fl-home-name', {}, demo.title);
  const length = flElement('span.fl-home-length', {}, flLength(demo));
  const text = flElement('span.fl-home-about', {}, demo.text);
  const card = flLink('fl-home-card', demo, open, picture, flElement('span.fl-home-title', {}, name, length), text);
  [name.id, length.id, text.id] = [`${id}-name`, `${id}-length`, `${id}-about`];
  card.lang = 'en';
  card.setAttribute('aria-labelledby', `${name.id} ${length.id}`);
  card.setAttribute('aria-describedby', text.id);
  return flElement('li', {}, card);
}
