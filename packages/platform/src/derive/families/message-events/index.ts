import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { distinctReports, keyOf, outcomesOf, repeatedReports } from './report.ts';
import { insertReports, mergeOutcomes } from './store.ts';

/** What came back about messages, see README.md. */
export const messageEvents: Derivation = {
  family: 'message_event',
  kinds: ['message_event'],
  tables: [{ name: 'message_event', ages_by: 'at', kept_for: 'history' }, { name: 'message_outcome' }],
  async apply(tx, events) {
    const sources = eventsOf(events, ['message_event']);
    const given = distinctReports(sources);
    const fresh = await insertReports(tx, given);
    const outcomes = outcomesOf(given.filter((report) => fresh.has(keyOf(report))));
    if (outcomes.length > 0) await mergeOutcomes(tx, outcomes);
    return { verdicts: repeatedReports(sources, fresh) };
  },
};

/**
 * SQL of messages of which a report came back, but for those of the site, whose own rows tell it at once: `player_id, campaign_id, shown_at, read_at, clicked_at`, in the columns of a message of the site.
 * Whoever opened an e-mail has seen and read it.
 */
export const reportedMessages = `select player_id, nullif(campaign_id, '') as campaign_id, least(shown_at, opened_at, clicked_at) as shown_at,
         least(opened_at, clicked_at) as read_at, clicked_at
    from message_outcome
   where channel not in ('site', 'push')
     and coalesce(delivered_at, shown_at, opened_at, clicked_at, complained_at, unsubscribed_at, replied_at, reached_at) is not null`;
