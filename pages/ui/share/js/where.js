// Tells the parts of the address that the browser changes by itself, as they are now.

export default function (component) {
  const { played } = component.data, link = new URLSearchParams(location.search);
  const here = Object.fromEntries(played.filter(key => link.has(key)).map(key => [key, link.get(key)]));
  const player = document.querySelector('.fl-player')?.dataset.t;  // the address knows a step only at rest
  if (played.includes('t') && player !== undefined) here.t = player;
  const told = JSON.stringify(here);
  if (component.parentElement.told === told) return;
  component.parentElement.told = told;
  component.setStateValue('here', here);
}
