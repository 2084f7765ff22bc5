import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../database/index.ts';
import type { EmailState } from './email/message.ts';

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

const mostSearched = 100_000;

/**
 * SQL of a page of email_message or called_message, newest first, with the table `p` of its players.
 *
 * Only the next 100,000 messages are searched for a page, because a rare state has no index. Failed messages have one
 * (`email_message_failed`, `called_message_failed`), so a list of only these is complete.
 *
 * @returns `from`, which takes the alias of the messages, and the values of its parameters
 */
export function newestMessages(
  table: 'email_message' | 'called_message',
  brandId: number,
  filter: MessageFilter & { channel?: string | undefined },
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
): { from(alias: string): string; values: unknown[] } {
  const values: unknown[] = [brandId, before, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { channel, player_id, states, reason, campaign_id, ended_from, ended_to } = filter;
  const searched = ['m.brand_id = $1', 'm.message_id < $2'];
  if (player_id !== undefined) searched.push(`m.player_id = ${bind(player_id)}`);
  if (channel !== undefined) searched.push(`m.channel = ${bind(channel)}`);
  const wanted: string[] = [];
  if (states !== undefined) wanted.push(`m.state = any(${bind(states)}::text[])`);
  if (reason !== undefined) wanted.push(`m.reason = ${bind(reason)}`);
  if (campaign_id !== undefined) wanted.push(`m.campaign_id = ${bind(campaign_id)}`);
  if (ended_from !== undefined) wanted.push(`m.ended_at >= ${bind(timestamptzText(ended_from))}`);
  if (ended_to !== undefined) wanted.push(`m.ended_at <= ${bind(timestamptzText(ended_to))}`);
  const hasIndex = states?.every((state) => failedStates.some((failed) => failed === state)) ?? false;
  // PostgreSQL uses the index of failed messages only for conditions that contain its own.
  if (hasIndex) searched.push(`m.state in ('failed', 'unknown')`, ...wanted);
  const newest = `select m.* from ${table} m where ${searched.join(' and ')} order by m.message_id desc limit ${hasIndex ? '$3' : mostSearched}`;
  const conditions = wanted.length === 0 ? 'true' : wanted.join(' and ');
  return {
    from: (alias) =>
      `(select m.* from (${newest}) m where ${conditions} order by m.message_id desc limit $3) ${alias}
       left join player p on p.player_id = ${alias}.player_id order by ${alias}.message_id desc`,
    values,
  };
}
