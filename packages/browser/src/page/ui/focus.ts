import type { View } from './view.ts';

/**
 * Moves the focus when the inbox changes. When a message is opened, the focus moves to its title. When it is
 * closed, the focus returns to its entry. When the button for older messages disappears, the focus moves to
 * the first entry of the last page. When a message is deleted, the focus moves to Undo, and from there back to the
 * restored entry. When the focused element is removed otherwise (recalled, expired), it moves to the panel's title.
 *
 * @returns a function to call after each drawing
 */
export function followFocus(): (view: View) => void {
  let before: number | undefined;
  let oldest: number | undefined;
  let undoable: number | undefined;
  const to = (id: string) => document.getElementById(`crm-${id}`)?.focus();
  const toEntry = (id: number | undefined) => to(`open-${id}`);
  const isLost = () => document.activeElement === document.body;
  return ({ detail, state: { inbox, inboxOpen, removed } }) => {
    const now = inboxOpen ? detail?.MessageId : undefined;
    if (inboxOpen) {
      if (now !== before) now ? to('detail-title') : toEntry(before);
      if (isLost()) toEntry(inbox.find(({ MessageId }) => oldest && MessageId < oldest)?.MessageId);
      if (isLost()) to(`undo-${removed.at(-1)}`);
      if (isLost()) toEntry(undoable);
      if (isLost()) to('inbox-title');
    }
    before = now;
    undoable = removed.at(-1);
    oldest = inbox.at(-1)?.MessageId;
  };
}
