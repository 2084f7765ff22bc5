import type { View } from './view.ts';

/**
 * Where the focus goes when the inbox changes under it: to the title of the message that was opened, back to the entry it was opened
 * from, and to the panel's title when what had it is gone (deleted, recalled, expired).
 *
 * @returns What to call after each drawing.
 */
export function followFocus(): (view: View) => void {
  let before: number | undefined;
  const to = (id: string) => document.getElementById(id)?.focus();
  return ({ detail, state }) => {
    const now = detail?.MessageId;
    if (!state.inboxOpen) {
      before = undefined;
      return;
    }
    if (now !== before) to(now === undefined ? `crm-open-${before}` : 'crm-detail-title');
    before = now;
    if (document.activeElement === document.body) to('crm-inbox-title');
  };
}
