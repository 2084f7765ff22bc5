import type { Joins, Scope } from './joins.ts';
import { flagSql } from './profile.ts';
import type { FieldReading } from './reading.ts';

/*
 * `excluded`, `consent.<Type>` and `block.<type>`: true, false or unknown, as the gate reads them
 * (operator/protection/inputs.ts). A block in doubt is in force; a consent in doubt is unknown. Without any answer to a
 * look-up the value is unknown.
 */
export const excludedReading: FieldReading = {
  field: { name: 'excluded', kind: 'status', title: 'excluded' },
  sql: (joins) => {
    const profile = joins.table('player_profile');
    const block = blockSql('excluded', joins);
    const flag = `(${profile}.excluded_in_doubt or ${profile}.is_excluded is distinct from false)`;
    return `case when (${profile}.player_id is not null and ${flag}) or ${block} = 'true' then 'true'
                 when ${profile}.player_id is null or ${block} = 'unknown' then 'unknown' else 'false' end`;
  },
};

/** @param type in the interface's spelling, or in the operator's for a type that the interface does not define */
export function consentReading(type: string): FieldReading {
  return {
    field: { name: `consent.${type}`, kind: 'status', title: `the consent to ${consentWords[type] ?? type}` },
    rowless: (joins) => ({ alias: consentOf(type, joins), value: 'unknown' }),
    comparison: ({ operator, value }, joins) => {
      if (operator !== '=' || typeof value !== 'boolean') return undefined;
      const consent = consentOf(type, joins);
      return `(${value ? '' : 'not '}${consent}.opted_in and not ${consent}.in_doubt)`;
    },
    sql: (joins) => {
      const consent = consentOf(type, joins);
      return `case when ${consent}.in_doubt or ${consent}.opted_in is null then 'unknown' else ${consent}.opted_in::text end`;
    },
  };
}

const consentOf = (type: string, joins: Joins) => rowOf('player_consent', 'type_key', type.toLowerCase(), joins);

export function blockReading(type: string): FieldReading {
  return {
    field: { name: `block.${type}`, kind: 'status', title: `the block ${type}` },
    sql: (joins) => blockSql(type.toLowerCase(), joins),
  };
}

function blockSql(key: string, joins: Joins): string {
  const block = rowOf('player_block', 'type_key', key, joins);
  const looked = rowOf('player_sync', 'look_up', 'blocks', joins);
  // A valid answer that does not list a type means that it is not in force.
  return flagSql(
    `${block}.player_id is null and ${looked}.as_of is null`,
    `${block}.player_id is not null and (${block}.in_doubt or ${block}.active is distinct from false)`,
  );
}

/** @returns the alias of a player's row of one kind: tables with the key (player_id, kind) need no summing */
function rowOf(table: string, column: string, kind: string, joins: Joins): string {
  return joins.query(`${table} ${kind}`, (where) => {
    return `select * from ${table} ${where('player_id', `${column} = ${joins.writer.parameter(kind, 'text')}`)}`;
  });
}

/**
 * Whether the player is excluded or blocked, as last published (operator/protection). Such a player is never a member
 * of an ordinary segment.
 */
export function protectedSql(joins: Joins): string {
  const known = joins.table('player_protection');
  return `coalesce(${known}.excluded or ${known}.blocked, false)`;
}

/**
 * The players who are excluded or blocked, as SQL to join. They are usually few. So PostgreSQL hashes them in a fraction of the time
 * that the rows of all players take, and can estimate how many there are.
 */
export function protectedPlayers(scope?: Scope): string {
  const scoped = scope === undefined ? '' : `${scope('player_id')} and `;
  return `(select player_id from player_protection where ${scoped}(excluded or blocked))`;
}

const consentWords: Record<string, string> = {
  Email: 'e-mail',
  SMS: 'SMS',
  Telephone: 'telephone calls',
  PostMail: 'post',
  SiteNotification: 'messages on the site',
  PushNotification: 'push messages',
};
