/**
 * Creates an element. Attributes whose names start with `on` are listeners, `false` and `null` omit an attribute, and all other
 * arguments become its children. Text is inserted as text and never parsed as HTML.
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined)
      made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const byId = (id) => document.getElementById(id);

export const picture = (name, alt = '') => el('img', { src: `/art/${name}.svg`, alt });

/** A group of radio buttons shown as round buttons. With `even` they are equally wide, in one row. */
export function chips(legend, name, choices, chosen, even = '') {
  return el(
    'fieldset',
    { class: `chips ${even}` },
    el('legend', {}, legend),
    choices.map(([value, text]) =>
      el('label', {}, el('input', { type: 'radio', name, value, checked: value === chosen }), text),
    ),
  );
}

const formats = new Map();

/** 12.5 -> "€12.50" */
export function money(amount, currency = 'EUR') {
  if (!formats.has(currency)) formats.set(currency, new Intl.NumberFormat('en', { style: 'currency', currency }));
  return formats.get(currency).format(amount);
}

let quiet;
/** Shows a line below the bar that disappears automatically. */
export function toast(text) {
  clearTimeout(quiet);
  byId('toast').textContent = text;
  quiet = setTimeout(() => {
    byId('toast').textContent = '';
  }, 5000);
}
