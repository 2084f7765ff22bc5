import type { View } from './view.ts';

/**
 * Moves the focus when the inbox changes. If a message is opened, its title gets the focus; if it is closed, the entry from
 * which it was opened. If the button for further pages disappears, the first entry of the last page gets it. If the focused
 * element is removed (deleted, recalled, expired), the panel's title gets it.
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
