import { journalDaysKept } from '../../derive/index.ts';
import type { ShownVerdict } from './described-event.ts';

/** The meaning of each verdict, in one sentence, for people. */
export const verdictMeanings: Record<ShownVerdict, string> = {
  applied:
    'It was the first event of its key when it came, or one that no fact is made of, such as an update that causes a refresh. A later one with an earlier timestamp may have taken its place.',
  repeat: 'An event of its key with the same money was there when it came: a retry, which adds nothing to any sum.',
  conflict:
    'An event of its key with other money was there when it came. The one with the earliest timestamp is in force, of balances and lottery settlements the latest, whichever came first.',
  orphan: 'It ends something that was not there when it came. It has no effect until its counterpart comes.',
  too_old:
    'It is older than the history of the brand (its setting history_days), so whether it was there before can no longer be told. It is kept, without effect, until a person imports it: POST .../too-old/import.',
  parked: 'It cannot be applied at the moment. It waits and is tried again; other events of the player go on.',
  unreadable: 'It cannot be read by the present rules or settings. It waits and is tried again.',
  pending: 'It is stored and has not been derived yet. This takes milliseconds unless derive lags behind.',
  past: `It came more than ${journalDaysKept} days ago. What became of an event is told for that long; what it led to is part of the facts.`,
};
