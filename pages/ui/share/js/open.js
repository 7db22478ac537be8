// The link leads to what is seen, also after the playhead has moved, but without the frame.
export default function (component) {
  const link = component.parentElement.querySelector('a');
  const point = () => {
    const there = new URL(location.href);
    for (const key of ['embed', 'embed_options']) there.searchParams.delete(key);
    link.href = there.href;
  };
  point();
  for (const name of ['pointerdown', 'focus', 'pointerenter']) link.addEventListener(name, point);
}
