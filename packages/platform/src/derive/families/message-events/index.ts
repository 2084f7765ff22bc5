import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { distinctReports, keyOf, outcomesOf, repeatedReports } from './report.ts';
import { insertReports, mergeOutcomes } from './store.ts';

/** Reports about messages: see README.md. */
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
 * SQL of messages with at least one report: `player_id, campaign_id, shown_at, read_at, clicked_at`, in the columns of
 * a message of the site. Messages of the site are left out, because their own rows have these times immediately. An
 * opened e-mail counts as shown and read.
 */
export const reportedMessages = `select player_id, nullif(campaign_id, '') as campaign_id, least(shown_at, opened_at, clicked_at) as shown_at,
         least(opened_at, clicked_at) as read_at, clicked_at
    from message_outcome
   where channel not in ('site', 'push')
     and coalesce(delivered_at, shown_at, opened_at, clicked_at, complained_at, unsubscribed_at, replied_at, reached_at) is not null`;
