import type { Verdict } from '../../derive/index.ts';

/** What a verdict says, in one sentence, for people who look at one event. */
export const verdictMeanings: Record<Verdict | 'pending', string> = {
  applied:
    'It was the first event of its key when it came, or one that causes a refresh. A later one with an earlier timestamp may have taken its place.',
  repeat:
    'An event of its key with the same money was there when it came. No sum changes; the one with the earliest timestamp is in force.',
  conflict:
    'An event of its key with other money was there when it came. The one with the earliest timestamp is in force, whichever came first.',
  orphan: 'It ends something that was not there when it came. It has no effect until its counterpart comes.',
  too_old: 'It is older than the history of the brand: kept, and without effect until a person imports it.',
  parked: 'It cannot be applied at the moment. It waits and is tried again; other events of the player go on.',
  unreadable: 'It cannot be read by the present rules or settings. It waits and is tried again.',
  pending: 'It is stored and has not been derived yet. This takes milliseconds unless derive lags behind.',
};
