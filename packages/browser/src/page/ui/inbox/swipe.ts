import { isRightToLeft } from '../direction.ts';
import type { Attributes } from '../draw/element.ts';

/** The position at which the finger was put on a row. It is kept here, because a row can be drawn again meanwhile. */
let start: number | undefined;
const swiped = 'crm-swiped';

type RowEvent = PointerEvent & { currentTarget: HTMLElement };

/**
 * Lets the player swipe a row toward the start of its line, on a touch screen. The row follows the finger and uncovers
 * its delete button. At a third of its width, letting go deletes it; before, it slides back. The browser cancels the
 * gesture when it scrolls the list instead (`touch-action`).
 */
export function swipe(onSwiped: () => void): Attributes {
  const distance = ({ clientX, currentTarget }: RowEvent) =>
    Math.max(0, ((start ?? clientX) - clientX) * (isRightToLeft(currentTarget) ? -1 : 1));
  const end = ({ currentTarget }: RowEvent) => {
    start = undefined;
    currentTarget.classList.remove(swiped);
  };
  return {
    onpointerdown({ pointerType, isPrimary, clientX }: RowEvent) {
      start = pointerType === 'touch' && isPrimary ? clientX : undefined;
    },
    onpointermove(event: RowEvent) {
      const row = event.currentTarget;
      // A finger that taps moves a little, too.
      if (distance(event) > 9) row.classList.add(swiped);
      row.style.setProperty('--crm-swipe', `${isRightToLeft(row) ? '' : '-'}${distance(event)}px`);
    },
    onpointerup(event: RowEvent) {
      const isFar = distance(event) > event.currentTarget.offsetWidth / 3;
      end(event);
      if (isFar) onSwiped();
    },
    onpointercancel: end,
  };
}
