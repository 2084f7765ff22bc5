import type { Child } from './draw/element.ts';

interface Props {
  class: string;
  /** Id of the element that names it. */
  labelledby: string;
  role?: 'alertdialog';
  open: boolean;
  /** A press on the fog around it closes it. */
  fog?: boolean;
  /** Escape, or the fog; not for what the state has closed. */
  onClose(): void;
  children?: Child;
}

const stops = 'a[href],button,[tabindex="0"]';
/** Where the mouse went down: a selection of text that ends over the fog is no press on it. */
let pressed: EventTarget | null = null;

/**
 * A modal on the browser's own <dialog>: above everything whatever the page's z-index, the page behind it inert, and the focus given back
 * on closing, none of which a positioned element can promise. Ours is only that Tab goes round inside: the browser would leave for
 * its address bar at the end.
 */
export function Dialog({ class: name, labelledby, role, open, fog, onClose, children }: Props) {
  return (
    <dialog
      class={`crm-dialog ${name}`}
      role={role}
      aria-labelledby={labelledby}
      drawn={(dialog: HTMLDialogElement) => {
        if (open && !dialog.open) dialog.showModal();
        else if (!open && dialog.open) dialog.close();
        // Told late by the browser: by then the state may have closed it, or opened it again.
        dialog.onclose = () => {
          if (open && !dialog.open) onClose();
        };
      }}
      // One that leaves the page while it is open would keep the focus for itself.
      gone={(dialog: HTMLDialogElement) => {
        dialog.onclose = null;
        dialog.close();
      }}
      onmousedown={({ target }) => {
        pressed = target;
      }}
      onclick={({ target, currentTarget }) => {
        if (fog && target === currentTarget && pressed === target) onClose();
      }}
      onkeydown={goRound}
    >
      {children}
    </dialog>
  );
}

function goRound(event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>(stops)];
  if (event.shiftKey) all.reverse();
  const place = all.indexOf(document.activeElement as HTMLElement);
  // On a title, which Tab does not stop at: forwards the browser finds the next stop, backwards it would leave.
  if (place < 0 ? !event.shiftKey : place < all.length - 1) return;
  event.preventDefault();
  all[0]?.focus();
}
