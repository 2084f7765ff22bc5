import { messageReports } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf } from '../../../database/index.ts';
import { keyOf, type MessageOutcome, type Report } from './report.ts';

const reports = columnsOf<Report>({
  player_id: 'bigint',
  what: 'text',
  at: 'timestamptz',
  fingerprint: 'hash',
  event_id: 'text',
  channel: 'text',
  provider: 'text',
  message_id: 'text',
  campaign_id: 'text',
  reason: 'text',
  link: 'text',
});

const times = messageReports.map((what) => `${what}_at` as const);
const outcomes = columnsOf<MessageOutcome>({
  player_id: 'bigint',
  message_id: 'text',
  channel: 'text',
  campaign_id: 'text',
  delivered_at: 'timestamptz',
  shown_at: 'timestamptz',
  opened_at: 'timestamptz',
  clicked_at: 'timestamptz',
  bounced_at: 'timestamptz',
  complained_at: 'timestamptz',
  unsubscribed_at: 'timestamptz',
  replied_at: 'timestamptz',
  reached_at: 'timestamptz',
  not_reached_at: 'timestamptz',
});

/** Inserts the reports that are not stored yet. @returns their keys */
export async function insertReports(tx: ClientBase, given: readonly Report[]): Promise<Set<string>> {
  const { rows } = await tx.query<Pick<Report, 'player_id' | 'fingerprint'>>({
    name: 'insert_message_events',
    text: `insert into message_event as t (${reports.names}) select ${reports.stored('r')} from ${reports.given('r')}
           on conflict do nothing returning t.player_id, encode(t.fingerprint, 'hex') as fingerprint`,
    values: reports.values(given),
  });
  return new Set(rows.map(keyOf));
}

/** Stores the first time of each thing. */
export async function mergeOutcomes(tx: ClientBase, given: readonly MessageOutcome[]): Promise<void> {
  await tx.query({
    name: 'merge_message_outcomes',
    text: `insert into message_outcome as t (${outcomes.names}) select ${outcomes.stored('o')} from ${outcomes.given('o')}
           on conflict (player_id, message_id) do update set
             channel = least(t.channel, excluded.channel), campaign_id = least(t.campaign_id, excluded.campaign_id),
             ${times.map((at) => `${at} = least(t.${at}, excluded.${at})`).join(', ')}`,
    values: outcomes.values(given),
  });
}
