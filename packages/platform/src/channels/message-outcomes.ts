/**
 * The outcomes of messages over all channels. A message has one row for each outcome that it reached, so it may have several.
 * Campaign results join them by message_id.
 *
 * - `withheld`: the message was dropped after it was ordered and before it was sent, with the reason.
 * - `sent`: it is in the player's lists on the site, or the provider accepted it, or it was exported.
 * - `failed`: the provider refused it, with the reason. `unknown`: the provider may or may not have accepted it.
 * - `delivered`: for a site message, it is in the lists; for a telephone or postal list, the player was reached.
 * - `shown`, `opened` (read), `clicked`: reported by the player's screen. A player who opened or clicked a message has also seen it, so
 *   `shown` includes opened and clicked messages, and `opened` includes clicked ones.
 * - `delivered` to `clicked`, `bounced`, `complained`, `unsubscribed`, `replied` of other channels: reports that arrived
 *   through the ledger.
 *
 * They are defined once and read in two forms: `messagesWith` has the rows of one outcome, `messageCounts` counts all outcomes in one
 * pass over each table.
 */
interface OutcomeOfMessages {
  outcome: string;
  /** The condition of the outcome. SQL over the columns of the table, like the other fields. */
  when: string;
  /** When the outcome happened. */
  at: string;
  /** Default: no reason. */
  reason?: string;
}

interface MessageTable {
  table: string;
  /** SQL for the message_id as a bigint. */
  id: string;
  where?: string;
  outcomes: readonly OutcomeOfMessages[];
}

const reached = (outcome: string, ...times: string[]): OutcomeOfMessages => ({
  outcome,
  when: times.length === 1 ? `${times[0]} is not null` : `coalesce(${times.join(', ')}) is not null`,
  at: times.length === 1 ? String(times[0]) : `least(${times.join(', ')})`,
});
const withheld = (at: string, when = `state in ('withheld', 'dropped')`): OutcomeOfMessages => ({
  outcome: 'withheld',
  when,
  at,
  reason: 'reason',
});

/** A message that a provider takes has exactly one of these outcomes once it has ended. */
const providerOutcomes = [
  { outcome: 'sent', when: `state = 'sent'`, at: 'coalesce(sent_at, ended_at)' },
  withheld('ended_at'),
  { outcome: 'failed', when: `state = 'failed'`, at: 'ended_at', reason: 'reason' },
  { outcome: 'unknown', when: `state = 'unknown'`, at: 'ended_at', reason: 'reason' },
];

const messageTables: readonly MessageTable[] = [
  {
    table: 'notification',
    id: 'message_id',
    outcomes: [
      reached('sent', 'live_at'),
      reached('delivered', 'live_at'),
      reached('shown', 'shown_at', 'read_at', 'clicked_at'),
      reached('opened', 'read_at', 'clicked_at'),
      reached('clicked', 'clicked_at'),
      withheld('state_since', `live_at is null and state in ('withheld', 'dropped')`),
    ],
  },
  { table: 'email_message', id: 'message_id', outcomes: providerOutcomes },
  { table: 'called_message', id: 'message_id', outcomes: providerOutcomes },
  {
    table: 'list_entry',
    id: 'message_id',
    outcomes: [
      reached('sent', 'exported_at'),
      { outcome: 'delivered', when: `state = 'reached'`, at: 'ended_at' },
      withheld('ended_at'),
    ],
  },
  {
    table: 'message_outcome',
    id: 'message_id::bigint',
    where: `channel not in ('site', 'push') and message_id ~ '^[0-9]{1,15}$'`,
    outcomes: [
      reached('delivered', 'delivered_at', 'shown_at', 'opened_at', 'clicked_at'),
      reached('shown', 'shown_at', 'opened_at', 'clicked_at'),
      reached('opened', 'opened_at', 'clicked_at'),
      reached('clicked', 'clicked_at'),
      reached('bounced', 'bounced_at'),
      reached('complained', 'complained_at'),
      reached('unsubscribed', 'unsubscribed_at'),
      reached('replied', 'replied_at'),
    ],
  },
];

/** `message_outcome` has no brand: a campaign of another brand with the same code adds rows that no step of this campaign names. */
const ofCampaign = ({ table }: MessageTable, { brand_id, code }: { brand_id: string; code: string }): string =>
  table === 'message_outcome' ? `campaign_id = ${code}` : `brand_id = ${brand_id} and campaign_id = ${code}`;

const whereOf = ({ where = 'true' }: MessageTable): string => where;

/**
 * The messages with one outcome: relations `(message_id, at, reason)`, one for each table that has this outcome.
 * They are separate relations, so that each can be read in the order of a list, and only as far as the list needs.
 *
 * @param campaign SQL of a brand_id and of the code of one of its campaigns, to get only the messages of this campaign. Indexes
 * contain both, so this is fast for outcomes that few messages have
 */
export function messagesWith(outcome: string, campaign?: { brand_id: string; code: string }): string[] {
  return messageTables.flatMap((one) =>
    one.outcomes
      .filter((each) => each.outcome === outcome)
      .map(
        ({ when, at, reason = 'null::text' }) =>
          `(select ${one.id} as message_id, ${at} as at, ${reason} as reason from ${one.table} where ${whereOf(one)} and ${when}${campaign === undefined ? '' : ` and ${ofCampaign(one, campaign)}`})`,
      ),
  );
}

/**
 * SQL of a relation `(...keys, outcome, reason, mark, count)`. It counts the outcomes of messages by the columns `keys`, and by a
 * mark: a value that is computed from the time of the outcome.
 *
 * It first counts the messages that have the same outcomes, and then adds this count to each of these outcomes. This takes a third of the
 * time of counting a row for each outcome, because a site message has two to five outcomes.
 *
 * @param messages a relation with a message_id and the columns `keys`
 * @param mark SQL for the mark of a time. Outcomes whose mark is null are not counted
 */
export function messageCounts(messages: string, keys: readonly string[], mark: (at: string) => string): string {
  const own = (of: string) => keys.map((key) => `${of}.${key}`).join(', ');
  const ofTable = (one: MessageTable) => {
    const { table, id, outcomes } = one;
    const reasons = outcomes.flatMap(({ when, reason }) => (reason ? [`case when ${when} then ${reason} end`] : []));
    const marks = outcomes.map(({ when, at }, n) => `case when ${when} then ${mark(at)} end as mark_${n}`);
    const names = outcomes.map((_, n) => `t.mark_${n}`).join(', ');
    const pairs = outcomes.map(
      ({ outcome, reason }, n) => `('${outcome}', ${reason ? 'c.reason' : 'null'}, c.mark_${n})`,
    );
    return `select ${own('c')}, o.outcome, o.reason, o.mark, c.count
      from (select ${own('m')}, t.reason, ${names}, count(*) as count
              from ${messages} m
              join (select ${id} as message_id, ${reasons.length === 0 ? 'null::text' : `coalesce(${reasons.join(', ')})`} as reason, ${marks.join(', ')}
                      from ${table} where ${whereOf(one)}) t using (message_id)
             group by ${own('m')}, t.reason, ${names}) c
      cross join lateral (values ${pairs.join(', ')}) o (outcome, reason, mark) where o.mark is not null`;
  };
  return `(${messageTables.map(ofTable).join('\n  union all ')})`;
}
