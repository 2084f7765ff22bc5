interface Widths {
  /** Of each tab, in order. */
  tabs: readonly number[];
  /** Of the button that opens the menu of the other tabs. */
  more: number;
}

/**
 * The places of the tabs that fit on one line; the others are for a menu at its end. The active tab is always one of them: if it is
 * beyond the end, it is the last one on the line. Pure.
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

/** The number of tabs, from the first, that fit. */
function firstThatFit(widths: readonly number[], room: number): number {
  let used = 0;
  const tooMany = widths.findIndex((width) => {
    used += width;
    return used > room;
  });
  return tooMany === -1 ? widths.length : tooMany;
}
