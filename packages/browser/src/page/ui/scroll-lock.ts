/**
 * Keeps the page behind a dialog from scrolling, and from moving: where its scroll bar takes room, the room stays. Called with the same
 * value again, it does nothing; what the page had set comes back.
 */
export function scrollLock(): (locked: boolean) => void {
  let kept: string | undefined;
  return (locked) => {
    const { style, clientWidth } = document.documentElement;
    if (locked === (kept !== undefined)) return;
    if (locked) {
      kept = style.cssText;
      if (innerWidth > clientWidth) style.scrollbarGutter = 'stable';
      style.overflow = 'hidden';
    } else {
      style.cssText = kept ?? '';
      kept = undefined;
    }
  };
}
