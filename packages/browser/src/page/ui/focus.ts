import type { View } from './view.ts';

/**
 * Moves the focus when the inbox changes. When a message is opened, the focus moves to its title. When it is
 * closed, the focus returns to its entry. When the button for older messages disappears, the focus moves to
 * the first entry of the last page. When the focused element is removed (deleted, recalled, expired), it
 * moves to the panel's title.
 *
 * @returns a function to call after each drawing
 */
export function followFocus(): (view: View) => void {
  let before: number | undefined;
  let oldest: number | undefined;
  const to = (id: string) => document.getElementById(`crm-${id}`)?.focus();
  const toEntry = (id: number | undefined) => to(`open-${id}`);
  const isLost = () => document.activeElement === document.body;
  return ({ detail, state: { inbox, inboxOpen } }) => {
    const now = inboxOpen ? detail?.MessageId : undefined;
    if (inboxOpen) {
      if (now !== before) now ? to('detail-title') : toEntry(before);
      if (isLost()) toEntry(inbox.find(({ MessageId }) => oldest && MessageId < oldest)?.MessageId);
      if (isLost()) to('inbox-title');
    }
    before = now;
    oldest = inbox.at(-1)?.MessageId;
  };
}
