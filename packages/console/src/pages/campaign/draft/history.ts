/** What was, what is, and what was undone; the newest last. */
export interface History<T> {
  past: readonly T[];
  now: T;
  undone: readonly T[];
  /** The change that made `now`, if the next one may be part of it. */
  last?: Change | undefined;
}

export interface Change {
  /** What was changed, such as the place of a field. */
  of: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Changes of one thing that follow each other this closely are one change: whoever types a word undoes the word. */
const together = 1_000;

export const begin = <T>(now: T): History<T> => ({ past: [], now, undone: [] });

/** @param by left out: a change of its own */
export function change<T>({ past, now, last }: History<T>, to: T, by?: Change): History<T> {
  const isSame = by !== undefined && last !== undefined && by.of === last.of && by.at - last.at < together;
  return { past: isSame ? past : [...past, now], now: to, undone: [], last: by };
}

export function undo<T>(history: History<T>): History<T> {
  const { past, now, undone } = history;
  const before = past.at(-1);
  return before === undefined ? history : { past: past.slice(0, -1), now: before, undone: [...undone, now] };
}

export function redo<T>(history: History<T>): History<T> {
  const { past, now, undone } = history;
  const after = undone.at(-1);
  return after === undefined ? history : { past: [...past, now], now: after, undone: undone.slice(0, -1) };
}
