/**
 * Keeps the page behind a dialog from scrolling, and from moving: where its scroll bar takes room, the room stays. Called with the same
 * value again, it does nothing. Of what the page had set it gives back these two properties, as the page may change others meanwhile.
 */
export function scrollLock(): (locked: boolean) => void {
  let stylesBefore: [overflow: string, gutter: string] | undefined;
  return (locked) => {
    const { style, clientWidth } = document.documentElement;
    if (locked && !stylesBefore) {
      stylesBefore = [style.overflow, style.scrollbarGutter];
      if (innerWidth > clientWidth) style.scrollbarGutter = 'stable';
      style.overflow = 'hidden';
    } else if (!locked && stylesBefore) {
      [style.overflow, style.scrollbarGutter] = stylesBefore;
      stylesBefore = undefined;
    }
  };
}
