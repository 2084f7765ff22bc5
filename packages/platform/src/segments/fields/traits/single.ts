import { lastCartSql, reportedMessages, type Trait, type TraitSource } from '../../../derive/index.ts';
import type { Joins } from '../joins.ts';
import type { FieldReading } from '../reading.ts';
import { bucketsOf } from './buckets.ts';

/*
 * Traits that are stored in separate rows besides totals, such as the last balance: one SQL expression each, with the
 * same result as `readTraits` of derive.
 */
type SourceOf<From extends TraitSource['from']> = Extract<TraitSource, { from: From }>;
type Sql = FieldReading['sql'];

/** The registration date comes from the operator's details if there is no registration event (docs/decisions/0802). */
export function factSql({ fact }: SourceOf<'fact'>): Sql {
  return fact === 'registered_at'
    ? (joins) => `coalesce(${joins.table('registration')}.at, ${joins.table('player_profile')}.registration_date)`
    : (joins) => `${joins.table('player_activity')}.${fact}`;
}

export function reportSql({ report }: SourceOf<'report'>): Sql {
  return (joins) => {
    const reports = joins.aggregate('payment_report', 'payment_report');
    return `${reports.column(report, () => `max(value) filter (where name = '${report}')`)}::numeric`;
  };
}

export function balanceSql({ key }: SourceOf<'balance'>): Sql {
  return (joins) =>
    joins.aggregate('balance', 'balance').column(key, () => `max(base_amount) filter (where key = '${key}')`);
}

/** The group with the latest date. If dates are equal, the group whose text is first in the order of bytes. */
export function latestSql({ family, group, date }: SourceOf<'latest'>): Sql {
  return (joins) => {
    const alias = joins.query(
      `${family} latest ${group} ${date}`,
      (where) =>
        `select distinct on (player_id) player_id, ${group} as latest from ${family}_total ${where('player_id', `${date} is not null`)}
         order by player_id, ${date} desc, ${group} collate "C"`,
    );
    return `${alias}.latest`;
  };
}

/** For each kind of payment: the date in the totals by which the payment is found, and its type and status. */
const outermost: Record<SourceOf<'payment'>['payment'], { table: string; date: string; type: string; status: string }> =
  {
    deposit_first: { table: 'payment_total', date: 'min(deposit_first_at)', type: 'Credit', status: 'Approved' },
    deposit_last: { table: 'payment_total', date: 'max(deposit_last_at)', type: 'Credit', status: 'Approved' },
    withdrawal_first: { table: 'payment_total', date: 'min(withdrawal_first_at)', type: 'Debit', status: 'Approved' },
    withdrawal_last: { table: 'payment_total', date: 'max(withdrawal_last_at)', type: 'Debit', status: 'Approved' },
    deposit_rejected_last: {
      table: 'refused_deposit_total',
      date: 'max(deposit_rejected_last_at)',
      type: 'Credit',
      status: 'Rejected',
    },
    deposit_cancelled_last: {
      table: 'refused_deposit_total',
      date: 'max(deposit_cancelled_last_at)',
      type: 'Credit',
      status: 'Cancelled',
    },
  };

/** If there are several payments at that moment, selects the one with the smallest key, like derive/families/payments/outermost.ts. */
export function paymentSql({ payment, show }: SourceOf<'payment'>): Sql {
  const { table, date, type, status } = outermost[payment];
  return (joins) => {
    const alias = joins.query(
      `payment ${payment}`,
      (where) =>
        `select distinct on (player_id) player_id, base_amount, note
         from (select player_id, ${date} as at from ${table} ${where('player_id')} group by player_id) d
         join payment using (player_id, at)
         where type = '${type}' and status = '${status}' and not orphan
         order by player_id, payment_key`,
    );
    return `${alias}.${show}`;
  };
}

/** Counts messages in the same way as channels/notifications/counts.ts. */
export function messagesSql({ event }: { event: SourceOf<'messages'>['event'] }, campaign?: string): Sql {
  const counted = event === 'received' ? '*' : `${event}_at`;
  return (joins) => {
    const ofSite =
      'select player_id, campaign_id, shown_at, read_at, clicked_at from notification where live_at is not null';
    const sent = joins.aggregate('messages', `(${ofSite} union all ${reportedMessages})`);
    const key = JSON.stringify([event, campaign]);
    const count = sent.column(key, () => {
      if (campaign === undefined) return `count(${counted})`;
      return `count(${counted}) filter (where campaign_id = ${joins.writer.parameter(campaign, 'text')})`;
    });
    return `coalesce(${count}, 0)::numeric`;
  };
}

export function cartSql({ show }: SourceOf<'cart'>): Sql {
  return (joins) => `${lastCart(joins)}.${show}${show === 'item_count' ? '::numeric' : ''}`;
}

function lastCart(joins: Joins): string {
  return joins.query(
    'last cart',
    (where) =>
      `select m.player_id, c.* from (select player_id from cart_total ${where('player_id')}) m
       cross join lateral (${lastCartSql('m.player_id')}) c`,
  );
}

/**
 * One group of a breakdown: deposits through one vendor, custom events of one type, items of one name. 0 if there are
 * none.
 */
export function groupSql(source: BreakdownSource, group: string): Sql {
  if (source.from === 'messages_by_campaign') return messagesSql(source, group);
  if (source.from === 'cart_items') {
    return (joins) =>
      `(select count(*) from jsonb_array_elements(${lastCart(joins)}.items) i
        where coalesce(i ->> 'name', i ->> 'type') = ${joins.writer.parameter(group, 'text')})::numeric`;
  }
  const rows =
    source.from === 'groups'
      ? { table: bucketsOf(source.family).lifetime, by: source.group, column: source.column }
      : { table: `${source.kind}_count`, by: 'name', column: 'event_count' };
  return (joins) => {
    const totals = joins.aggregate(`${rows.table} groups`, rows.table);
    const key = JSON.stringify([rows.column, group]);
    const sum = totals.column(
      key,
      () => `sum(${rows.column}) filter (where ${rows.by} = ${joins.writer.parameter(group, 'text')})`,
    );
    return `coalesce(${sum}, 0)::numeric`;
  };
}

type BreakdownSource = SourceOf<'groups' | 'named_events' | 'cart_items' | 'messages_by_campaign'>;

export function isBreakdown(trait: Trait): trait is Trait & { source: BreakdownSource } {
  return trait.kind === 'breakdown';
}
