/**
 * Keeps the page behind a dialog from scrolling and from moving: if its scroll bar takes space, the space is kept. Calling it
 * with the same value again has no effect. It restores only these two properties, because the page may change others in the
 * meantime.
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
