// Arrays as the server packs them into a payload (pages/ui/play/frames.py).

const FL_ARRAYS = { u1: Uint8Array, i1: Int8Array, i2: Int16Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };

// The bytes of a text in base 64.
export function flBytes(text) {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

// The numbers of an array in the form that plotly.js reads, { dtype, bdata }.
export function flArray({ dtype, bdata }) {
  return new FL_ARRAYS[dtype](flBytes(bdata).buffer);
}
