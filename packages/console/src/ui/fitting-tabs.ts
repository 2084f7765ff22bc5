interface Widths {
  /** Width of each tab, in order. */
  tabs: readonly number[];
  /** Width of the button that opens the menu of the other tabs. */
  more: number;
}

/**
 * Returns the places of the tabs that fit on one line. The other tabs are for a menu at the end of the line. The active
 * tab is always on the line: if it would not fit, it becomes the last one. Pure.
 *
 * @param room the width of the line, in the unit of the widths
 */
export function fittingTabs({ tabs, more }: Widths, room: number, active: number): number[] {
  const all = firstThatFit(tabs, room);
  if (all === tabs.length) return [...tabs.keys()];
  const first = firstThatFit(tabs, room - more);
  if (active < first) return [...tabs.keys()].slice(0, first);
  const beforeActive = firstThatFit(tabs, room - more - (tabs[active] ?? 0));
  return [...[...tabs.keys()].slice(0, beforeActive), active];
}

/** Returns how many tabs fit, counted from the first. */
function firstThatFit(widths: readonly number[], room: number): number {
  let used = 0;
  const tooMany = widths.findIndex((width) => {
    used += width;
    return used > room;
  });
  return tooMany === -1 ? widths.length : tooMany;
}
