import { pageOfAddress } from './listen.js';
import { own } from './store.js';

export default function (component) {
  const { settings, about } = component.data ?? {};
  if (settings) own.named = { page: pageOfAddress(), settings, about };
}
