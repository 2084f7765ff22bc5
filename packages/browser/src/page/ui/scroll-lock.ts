/**
 * Keeps the page behind a dialog from scrolling and from moving. If the page's scroll bar takes space, this space
 * stays. Calling it again with the same value has no effect. It restores only these two properties, because the page
 * may change others in the meantime.
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
