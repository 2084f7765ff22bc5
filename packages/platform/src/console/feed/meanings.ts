import type { Verdict } from '../../derive/index.ts';

/** What a verdict says, in one sentence, for people who look at one event. */
export const verdictMeanings: Record<Verdict | 'pending', string> = {
  applied: 'It counts: the first event of its key, or one that causes a refresh.',
  repeat: 'A retry of an event that was there already, with the same money. It changes nothing.',
  conflict:
    'An event of its key was there already with other money. The one with the earliest timestamp is in force, whichever came first.',
  orphan: 'It ends something that was not there when it came. It counts for nothing until its counterpart comes.',
  too_old: 'It is older than the history of the brand: kept, and without effect until a person imports it.',
  parked: 'It cannot be applied at the moment. It waits and is tried again; other events of the player go on.',
  unreadable: 'It cannot be read by the present rules or settings. It waits and is tried again.',
  pending: 'It is stored and has not been derived yet. This takes milliseconds unless derive lags behind.',
};
