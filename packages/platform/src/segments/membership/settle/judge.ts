import type { Micros } from '@croupier/contracts';
import { compileToSql, neverChanges, type Rule } from '@croupier/rules';
import type { Brand } from '../../../brands/index.ts';
import { protectedPlayers } from '../../fields/index.ts';
import type { BrandRules, PlayerScope } from '../rule-reading.ts';

interface Reading {
  brand: Brand;
  rules: BrandRules;
  at: Micros;
  scope: PlayerScope;
  values: unknown[];
  /** A further condition on the player `p`, beginning with `and`. */
  where?: string;
  /**
   * Leaves out players who do not satisfy the rule, if time alone never changes the answer of the rule. Nothing is written for such
   * players. Default: false.
   */
  onlyHolding?: boolean;
}

export interface Judged {
  /** Rows: player_id, holds, protected, due_at. */
  readonly text: string;
  /** Rows: player_id, of all players that the statement is about. */
  readonly everybody: string;
  readonly values: unknown[];
}

/**
 * SQL that evaluates a version for many players at once. For each player it returns whether the player satisfies the rule, whether the
 * player is protected, and when time alone may change the result.
 *
 * @param values parameters of the statement that it becomes part of; they keep their numbers
 */
export function judge(
  version: { version_id: number; rule: Rule | null; include_protected: boolean },
  { brand, rules, at, scope, values, where: more = '', onlyHolding = false }: Reading,
): Judged {
  const given = [...values, brand.brand_id];
  const brandPlace = `$${given.length}::int`;
  const isProtected = version.include_protected ? 'false' : '(x.player_id is not null)';
  const from = `from player p left join ${protectedPlayers(scope)} x on x.player_id = p.player_id`;
  const where = `where p.brand_id = ${brandPlace} and p.erased_at is null and ${scope('p.player_id')} ${more}`;
  const everybody = `select p.player_id from player p ${where}`;
  if (version.rule === null) {
    const text = `select p.player_id, l.player_id is not null as holds, ${isProtected} as protected, null::timestamptz as due_at ${from}
      left join segment_listed l on l.player_id = p.player_id and l.version_id = ${version.version_id} ${where}`;
    return { text, everybody, values: given };
  }
  const options = {
    catalog: rules.catalog,
    source: rules.source(scope),
    at,
    zone: brand.settings.time_zone,
    values: given,
    changes: true,
  };
  if (onlyHolding) {
    const { joins, condition, changesAt, values: own } = compileToSql(version.rule, { ...options, asFilter: true });
    if (changesAt === neverChanges) {
      const text = `select p.player_id, true as holds, ${isProtected} as protected, ${neverChanges} as due_at ${from}
        ${joins} ${where} and ${condition}`;
      return { text, everybody, values: own };
    }
  }
  const compiled = compileToSql(version.rule, options);
  const text = `select p.player_id, ${compiled.condition} as holds, ${isProtected} as protected, ${compiled.changesAt} as due_at ${from}
    ${compiled.joins} ${where}`;
  return { text, everybody, values: compiled.values };
}
