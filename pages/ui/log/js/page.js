import { List } from './list.js';

export default function (component) {
  const root = component.parentElement.querySelector('.fl-runs');
  if (!root || root.__list) return;
  const list = root.__list = new List(root, component.data?.examples);
  const draw = () => { if (root.isConnected) list.draw(); };
  globalThis.addEventListener('fl-runs', draw);  // of this window
  globalThis.addEventListener('storage', draw);  // of the others
  draw();
  return () => setTimeout(() => {
    if (root.isConnected) return;
    globalThis.removeEventListener('fl-runs', draw);
    globalThis.removeEventListener('storage', draw);
  }, 1000);
}
