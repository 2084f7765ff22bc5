import { withoutWindow } from '../../text/field-names.ts';

/** A trait as `GET traits` lists it, without a window. */
export interface CatalogTrait {
  readonly name: string;
  /** The heading under which the platform lists it. */
  readonly chapter: string;
}

/** A trait in all its windows, such as the deposits of today, of the last 7 days, and of all time. */
export interface Measure {
  /** The name without a window. */
  readonly name: string;
  readonly chapter: string;
  /** The full names, by window. The window of the lifetime is ''. */
  readonly names: ReadonlyMap<string, string>;
}

/** Measures that have the same windows: the rows and columns of a table. */
export interface Matrix {
  /** The shortest window is first. The lifetime is last. */
  readonly windows: readonly string[];
  readonly measures: readonly Measure[];
}

export interface TraitGroup {
  readonly chapter: string;
  readonly matrices: readonly Matrix[];
  /** The measures that have a value for the lifetime only. */
  readonly single: readonly Measure[];
}

/** The chapter of traits that the platform does not know. It is a group of `GET rule-fields`, too. */
const operatorsOwn = "The operator's own";

/** Joins the windows of each trait. The order of the names is kept. Pure. */
export function measuresOf(names: readonly string[], catalog: readonly CatalogTrait[]): Measure[] {
  const chapters = new Map(catalog.map(({ name, chapter }) => [name, chapter]));
  const split = names.map((full) => {
    const { of, window } = withoutWindow(full);
    // The operator's own trait may end like a window.
    return !chapters.has(full) && chapters.has(of) ? { full, of, window } : { full, of: full, window: '' };
  });
  return [...grouped(split, ({ of }) => of)].map(([name, parts]) => ({
    name,
    chapter: chapters.get(name) ?? operatorsOwn,
    names: new Map(parts.map(({ window, full }) => [window, full])),
  }));
}

/** Groups measures by chapter, and within a chapter by their windows. Pure. */
export function groupsOf(measures: readonly Measure[]): TraitGroup[] {
  return [...grouped(measures, ({ chapter }) => chapter)].map(([chapter, ofChapter]) => {
    const [windowed, single] = [ofChapter.filter(hasWindows), ofChapter.filter((one) => !hasWindows(one))];
    const alike = grouped(windowed, (measure) => windowsOf(measure).join());
    const matrices = [...alike.values()].map((same) => ({
      windows: same.slice(0, 1).flatMap(windowsOf),
      measures: same,
    }));
    return { chapter, matrices, single };
  });
}

/** Groups items in the order of the first item of each group. Not every browser has `Map.groupBy`. */
function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

const hasWindows = ({ names }: Measure) => [...names.keys()].some((window) => window !== '');

const windowsOf = ({ names }: Measure) => [...names.keys()].sort((one, other) => lengthOf(one) - lengthOf(other));

/** The length of a window in hours, for the order of columns. */
function lengthOf(window: string): number {
  if (window === '') return Number.POSITIVE_INFINITY;
  // Today is part of the last 24 hours, and part of the last day.
  if (window === 'today') return 23.5;
  const count = Number(/\d+/.exec(window)?.[0]);
  if (window.endsWith('h')) return count;
  // The days before a window follow it.
  return 24 * count + (window.startsWith('prev_') ? 0.5 : 0);
}
