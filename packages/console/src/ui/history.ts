/** The past states, the current state, and the undone states. Undo takes the last of `past`, and redo takes the last of `undone`. */
export interface History<T> {
  past: readonly T[];
  now: T;
  undone: readonly T[];
  /** The last change, if the next change may be combined with it. */
  last?: Change | undefined;
}

export interface Change {
  /** What was changed, for example the path of a field. */
  of: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * Time in milliseconds. A change that follows the previous change of the same field within this time is combined with it, so that
 * undo removes a typed word, not a letter.
 */
const togetherMs = 1_000;
/** Maximum number of changes that can be undone. Each keeps a document of up to about 100 KB. */
const mostPast = 200;

export const begin = <T>(now: T): History<T> => ({ past: [], now, undone: [] });

/** @param by if omitted, the change is never combined with others */
export function change<T>({ past, now, last }: History<T>, to: T, by?: Change): History<T> {
  const isSame = by !== undefined && last !== undefined && by.of === last.of && by.at - last.at < togetherMs;
  return { past: isSame ? past : [...past, now].slice(-mostPast), now: to, undone: [], last: by };
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
