import { Table } from './table.js';

export default function (component) {
  const root = component.parentElement.querySelector('.fl-runs');
  if (!root) return;
  const fresh = !root.__table;
  const table = root.__table ??= new Table(root, component.data?.examples ?? [], component.data?.most ?? 1);
  table.component = component;
  if (!fresh) return;
  const draw = () => { if (root.isConnected) table.draw(); };
  globalThis.addEventListener('fl-runs', draw);  // of this window
  globalThis.addEventListener('storage', draw);  // of the others
  draw();
  return () => setTimeout(() => {
    if (root.isConnected) return;
    globalThis.removeEventListener('fl-runs', draw);
    globalThis.removeEventListener('storage', draw);
  }, 1000);
}
