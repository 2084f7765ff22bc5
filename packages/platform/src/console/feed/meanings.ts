import { journalDaysKept } from '../../derive/index.ts';
import type { ShownVerdict } from './described-event.ts';

/** The meaning of each verdict, in one sentence, for people. */
export const verdictMeanings: Record<ShownVerdict, string> = {
  applied:
    'The event was the first of its key on arrival, or it produces no fact, such as an update that causes a refresh. A later event with an earlier timestamp may have replaced it.',
  repeat:
    'An event with the same key and the same money already existed. This is a retry, and it adds nothing to any sum.',
  conflict:
    'An event with the same key and different money already existed. The event with the earliest timestamp is in force (for balances and lottery settlements, the latest), whichever arrived first.',
  orphan: 'Its counterpart had not arrived yet. It has no effect until the counterpart arrives.',
  too_old:
    'The event is older than the history of the brand (setting history_days), so Croupier cannot determine whether it was counted before. It is stored without effect until a person imports it: POST .../too-old/import.',
  parked:
    'The event cannot currently be applied. It waits and is retried. Other events of the player are not affected.',
  unreadable: 'The current rules or settings cannot read the event. It waits and is retried.',
  pending: 'The event is stored and not derived yet. This takes milliseconds unless derive lags.',
  past: `The event arrived more than ${journalDaysKept} days ago. Verdicts are kept for that long. Its effect is part of the facts.`,
};
