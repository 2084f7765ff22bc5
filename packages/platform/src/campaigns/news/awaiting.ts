import { eventKindsOf, rulesOf } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import { dependenciesOf } from '@croupier/rules';
import type { RunnableVersion } from '../documents/active-store.ts';

/** Events that wait until the segments of their player have taken them in. */
export interface Awaiting {
  /** Of events, as campaigns name them. */
  kinds: readonly string[];
  /** Those that were received before this wait no longer. */
  receivedAfter: Micros;
}

/** Longer than segments ever need while they work; a segment that is stuck must not stop the campaigns of its players. */
const longestWait: Micros = 5_000_000;

/**
 * An event is news for segments and for campaigns at once. A campaign that asks for a segment must see the membership that follows from the event: a
 * first deposit begins a campaign for members of "deposited today". So its events wait for the segments; all other events do not.
 */
export function awaitingSegments(versions: readonly RunnableVersion[], at: Micros): Awaiting {
  const asking = versions.filter(({ document }) =>
    rulesOf(document).some((rule) => dependenciesOf(rule).segments.size > 0),
  );
  const kinds = [...new Set(asking.flatMap(({ document }) => eventKindsOf(document)))];
  return { kinds, receivedAfter: at - longestWait };
}
