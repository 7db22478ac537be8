// Saves an SVG from the server as it is, or drawn as a PNG three times as large.

const FL_SCALE = 3;

async function flPng(svg) {
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await picture.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: FL_SCALE * picture.width, height: FL_SCALE * picture.height });
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(picture.src);
  return new Promise(done => canvas.toBlob(done, 'image/png'));
}

export default function (component) {
  const { svg, name } = component.data;
  for (const button of component.parentElement.querySelectorAll('.fl-save button')) {
    button.onclick = async () => {
      const kind = button.dataset.as;
      const blob = kind === 'png' ? await flPng(svg) : new Blob([svg], { type: 'image/svg+xml' });
      const link = document.createElement('a');
      Object.assign(link, { href: URL.createObjectURL(blob), download: `${name}.${kind}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
  }
}
