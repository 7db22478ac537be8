import { listen } from './store.js';
import { Table } from './table.js';

export default function (component) {
  const root = component.parentElement.querySelector('.fl-runs');
  if (!root) return;
  const fresh = !root.__table;
  const table = root.__table ??= new Table(root, component.data?.examples ?? [], component.data?.most ?? 1);
  table.component = component;
  if (!fresh) return;
  table.draw();
  return listen(root, () => table.draw());
}
