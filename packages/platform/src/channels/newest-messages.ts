import type { Micros } from '@croupier/contracts';
import type { Pool, QueryResultRow } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { EmailState } from './email/message.ts';
import { type Found, findNewest, type NewestPage } from './newest-first.ts';

/** Selects e-mails or called messages. They have the same states. */
export interface MessageFilter {
  player_id?: number | undefined;
  /** Any of these. */
  states?: readonly EmailState[] | undefined;
  reason?: string | undefined;
  campaign_id?: string | undefined;
  /** When it ended; both bounds are included. */
  ended_from?: Micros | undefined;
  ended_to?: Micros | undefined;
}

/** The states that the overview counts as failed (failed.ts). */
export const failedStates = ['failed', 'unknown'] as const;

/** PostgreSQL uses a partial index only if the conditions of the query include the condition of the index. */
const isFailed = `m.state in ('failed', 'unknown')`;
const isWithheld = `m.state in ('withheld', 'dropped')`;

/**
 * A page of email_message or called_message, newest first.
 *
 * A page searches the next 100,000 messages (newest-first.ts): those of a player, those that a campaign did not send
 * (`email_message_withheld`, `called_message_withheld`), or those of the brand. Failed messages are few and have an index
 * (`email_message_failed`, `called_message_failed`), so all of them are searched.
 *
 * @param columns columns of the message `m` and its player `p`
 */
export function findNewestMessages<Row extends QueryResultRow>(
  pool: Pool,
  { table, columns }: { table: 'email_message' | 'called_message'; columns: string },
  brandId: number,
  filter: MessageFilter & { channel?: string | undefined },
  page: NewestPage,
): Promise<Found<Row>> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const given = (column: string, value: unknown) => (value === undefined ? [] : [`m.${column} = ${bind(value)}`]);
  const { channel, player_id, states, reason, campaign_id, ended_from, ended_to } = filter;
  const ofBrand = `m.brand_id = ${bind(brandId)}`;
  const ofPlayer = given('player_id', player_id);
  const ofChannel = given('channel', channel);
  const ofCampaign = given('campaign_id', campaign_id);
  const wanted = given('reason', reason);
  if (states !== undefined) wanted.push(`m.state = any(${bind(states)}::text[])`);
  if (ended_from !== undefined) wanted.push(`m.ended_at >= ${bind(timestamptzText(ended_from))}`);
  if (ended_to !== undefined) wanted.push(`m.ended_at <= ${bind(timestamptzText(ended_to))}`);
  const search = { table, id: 'message_id', columns, values } as const;
  if (areAll(states, failedStates)) {
    const among = [ofBrand, isFailed, ...ofPlayer, ...ofChannel, ...ofCampaign, ...wanted];
    return findNewest(pool, { ...search, among, wanted: [], isWhole: true }, page);
  }
  if (player_id === undefined && campaign_id !== undefined && areAll(states, ['withheld', 'dropped'])) {
    const among = [ofBrand, isWithheld, ...ofCampaign];
    return findNewest(pool, { ...search, among, wanted: [...ofChannel, ...wanted] }, page);
  }
  const among = [ofBrand, ...ofPlayer, ...ofChannel];
  return findNewest(pool, { ...search, among, wanted: [...ofCampaign, ...wanted] }, page);
}

const areAll = (states: readonly EmailState[] | undefined, of: readonly EmailState[]): boolean =>
  states?.every((state) => of.includes(state)) ?? false;
