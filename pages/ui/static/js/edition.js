// The script of every page of the static edition. What a page is, it says itself, as JSON in `fl-page`.

import '../../draw/js/terms.js';
import { tilesOf } from '../../figures/view/js/tiles.js';
import { flOpenDemo } from './demo.js';
import { flOpenHome } from './home.js';
import { flOpenLessonPage } from './lesson_page.js';
import { flTakes } from './take.js';
import { flZooms } from './zoom.js';

{
  const page = JSON.parse(document.getElementById('fl-page')?.textContent ?? '{}');
  const dark = document.documentElement.dataset.scheme === 'dark';
  for (const sheet of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.fl-sheet'))) {
    sheet.dataset.dark = String(dark);
    tilesOf(sheet);
    flZooms(sheet);
  }
  flTakes();
  if (page.kind === 'home') flOpenHome(page);
  if (page.kind === 'demo') flOpenDemo(page);
  if (page.kind === 'lesson') flOpenLessonPage(page);
}
