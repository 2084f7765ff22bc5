import { checkRule, type Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { RuleCatalog } from '../../segments/fields/index.ts';
import { readCatalog } from '../../segments/membership/index.ts';
import { PreviewsBusy, PreviewTooCostly } from '../../segments/preview/index.ts';
import { Refused, refusedField } from '../routing/refused.ts';

/** @throws {Refused} invalid_request with each error of an invalid rule, by its path in the body */
export async function usableRule(
  pool: Pool,
  brand: Brand,
  rule: unknown,
): Promise<{ rule: Rule; catalog: RuleCatalog }> {
  const catalog = await readCatalog(pool, brand);
  const errors = checkRule(rule, catalog);
  if (errors.length === 0) return { rule: rule as Rule, catalog };
  throw new Refused(
    'invalid_request',
    { en: 'the rule cannot be used', de: 'Die Regel kann nicht verwendet werden' },
    {
      errors: errors.map(({ path, message }) => ({ path: `rule${path}`, rule: 'rule', message })),
    },
  );
}

/**
 * @throws {Refused} too_many_requests if too many previews are waiting, invalid_request for a rule that is too costly; rethrows
 * other errors
 */
export function asRefusal(error: unknown): never {
  if (error instanceof PreviewsBusy) throw new Refused('too_many_requests', error.words, { retryAfter: 1 });
  if (error instanceof PreviewTooCostly) throw refusedField('rule', 'cost', error.words);
  throw error;
}

export async function userIdsOf(pool: Pool, playerIds: readonly number[]): Promise<string[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    'select user_id from player where player_id = any($1::bigint[]) and erased_at is null order by player_id',
    [playerIds],
  );
  return rows.map(({ user_id }) => user_id);
}
