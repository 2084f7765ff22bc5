import { byId, el } from '../dom.js';

/** Opens the page's one dialog. The browser keeps the focus in it and gives it back. */
export function dialog(title, lead, ...content) {
  const box = byId('dialog');
  box.replaceChildren(
    el('button', { class: 'dialog-close', type: 'button', 'aria-label': 'Close', onclick: () => box.close() }, '×'),
    el('h2', { id: 'dialog-title' }, title),
    el('p', { class: 'lead' }, lead),
    ...content,
  );
  box.showModal();
}
