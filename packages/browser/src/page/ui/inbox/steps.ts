import { isRightToLeft } from '../direction.ts';
import type { View } from '../view.ts';

/** -1: the message above the open one in the list, which is newer. 1: the one below it. */
type Direction = -1 | 1;

/** Returns the function that opens the message beside the open one, or undefined if there is none. */
export function stepOf({ listed, detail, actions }: View, by: Direction): (() => void) | undefined {
  const to = detail && listed[listed.indexOf(detail) + by];
  return to && (() => actions.open(to.MessageId));
}

/**
 * Opens the message beside the open one when the player presses an arrow key. If the focus is on a
 * wide table in a message, the arrow keys scroll the table instead.
 */
export function stepByKey(view: View, event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  const target = event.target as HTMLElement;
  const scrolls = target.scrollWidth > target.clientWidth && target.matches('.crm-html, .crm-terms');
  if (altKey || ctrlKey || metaKey || shiftKey || scrolls) return;
  // The direction is that of the panel. The target may be a title, which has the direction of its language.
  const forward = isRightToLeft(event.currentTarget as HTMLElement) ? 'ArrowLeft' : 'ArrowRight';
  const by = key === forward ? 1 : /^Arrow[LR]/.test(key) && -1;
  const step = by && stepOf(view, by);
  if (!step) return;
  event.preventDefault();
  step();
}
