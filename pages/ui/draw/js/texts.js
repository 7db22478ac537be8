// The texts of the scripts, in the language of the page. In the code a text stands in English. Its translations stand
// beside the module that says it, or that begins those that do, in `NAME.de.toml` (English = translation), and are
// joined to the script (pages/ui/modules.py). What has no translation is said in English.

const flTables = {};  // by language

export function flTranslate(language, table) {
  flTables[language] = { ...flTables[language], ...table };
}

// The language that the address asks for (`lang=de`), or else that of the page.
export function flLanguage() {
  const asked = new URLSearchParams(globalThis.location?.search ?? '').get('lang');
  const wanted = asked ?? globalThis.document?.documentElement.lang;
  return Object.hasOwn(flTables, wanted ?? '') ? wanted : 'en';
}

// flSay('Go to {unit}', { unit: 'step' })
export function flSay(text, values = {}) {
  const said = flTables[flLanguage()]?.[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

// The names of the steps of a run: { unit: 'step', units: 'steps', Unit: 'Step', Units: 'Steps' }
export function flUnits(unit) {
  const one = flSay(unit), many = flSay(`${unit}s`), large = word => word[0].toUpperCase() + word.slice(1);
  return { unit: one, units: many, Unit: large(one), Units: large(many) };
}
