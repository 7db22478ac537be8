// Cards that are links as a whole: those of the lessons, and what else the home page makes of such.

// An element with a class and children; texts are set as texts.
export function flMake(tag, name, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children.filter(child => child !== ''));
  return made;
}

// A link that Streamlit opens without loading the app anew; with a key held, the browser opens it as usual.
export function flLink(name, entry, open, ...children) {
  const link = flMake('a', name, ...children);
  link.href = entry.href;
  link.addEventListener('click', event => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(entry.key);
  });
  return link;
}

export const flLength = entry => `${entry.level} · ${entry.minutes} min`;

// The lead is HTML that the server has made.
export function flStarts(starts, open) {
  return starts.map(start => {
    const text = flMake('span', 'fl-start-text');
    text.innerHTML = start.text;
    return flMake('li', '', flLink('fl-start', start, open, flMake('span', 'fl-start-number', String(start.number)),
      flMake('span', 'fl-start-name', start.title), text, flMake('span', 'fl-start-length', flLength(start))));
  });
}
