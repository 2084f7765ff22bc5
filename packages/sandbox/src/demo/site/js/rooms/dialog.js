import { byId, el } from '../dom.js';

/** Opens the page's only dialog. The browser traps the focus in it and restores it afterwards. */
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
