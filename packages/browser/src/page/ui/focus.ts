import type { View } from './view.ts';

/**
 * Where the focus goes when the inbox changes under it: to the title of the message that was opened, back to the entry it was opened
 * from, to the first entry of the last page when the button that fetched it goes, and to the panel's title when what had it is gone
 * (deleted, recalled, expired).
 *
 * @returns What to call after each drawing.
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
