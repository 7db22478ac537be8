// Joins the ends of the parts of a page for the Tab key. One listener serves the window, whatever page it shows.

const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]';

const stops = area => [...area?.querySelectorAll(STOPS) ?? []].filter(element => element.tabIndex >= 0 &&
  !element.disabled && !element.closest('[inert]') && element.checkVisibility({ visibilityProperty: true }));

// Pairs of neighbours that are none in the page: skip link, navigation, settings, main part.
function joints() {
  const part = name => document.querySelector(`[data-testid=${name}]`);
  const skip = part('stSkipToContent'), main = part('stMain');
  const pages = stops(part('stHeader')), settings = stops(document.querySelector('[data-testid=stSidebar]'));
  if (!skip || !main || !pages.length || !settings.length) return [];
  return [[skip, pages[0]], [pages.at(-1), settings[0]], [settings.at(-1), main]];
}

function tab(event) {
  if (event.key !== 'Tab' || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const [from, to] = event.shiftKey ? [1, 0] : [0, 1];
  const joint = joints().find(pair => pair[from] === document.activeElement);
  if (!joint) return;
  event.preventDefault();
  joint[to].focus();
}

const own = globalThis.__feedbackLabTabs ??= {};
if (own.tab) removeEventListener('keydown', own.tab);
own.tab = tab;
addEventListener('keydown', own.tab);
export default function () {}
