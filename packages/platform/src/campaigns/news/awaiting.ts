import { eventKindsOf, rulesOf } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import { dependenciesOf } from '@croupier/rules';
import type { RunnableVersion } from '../documents/active-store.ts';

/** Events that wait until the segments of their player have processed them. */
export interface Awaiting {
  /** Kinds of events, with the names that campaigns use. */
  kinds: readonly string[];
  /** Events received before this time no longer wait. */
  receivedAfter: Micros;
}

/** 5 seconds: longer than working segments need. A segment that is stuck must not stop the campaigns of its players. */
const longestWait: Micros = 5_000_000;

/**
 * Segments and campaigns process an event independently. A campaign that uses a segment must see the membership that follows
 * from the event: a first deposit starts a campaign for members of "deposited today". So the events of such a campaign wait for
 * the segments; all other events do not.
 */
export function awaitingSegments(versions: readonly RunnableVersion[], at: Micros): Awaiting {
  const asking = versions.filter(({ document }) =>
    rulesOf(document).some((rule) => dependenciesOf(rule).segments.size > 0),
  );
  const kinds = [...new Set(asking.flatMap(({ document }) => eventKindsOf(document)))];
  return { kinds, receivedAfter: at - longestWait };
}
