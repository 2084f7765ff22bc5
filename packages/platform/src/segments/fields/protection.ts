import type { Joins } from './joins.ts';
import { flagSql } from './profile.ts';
import type { FieldReading } from './reading.ts';

/*
 * `excluded`, `consent.<Type>` and `block.<type>`: true, false or unknown, as the gate reads them (operator/protection/inputs.ts). A block
 * in doubt is in force; a consent in doubt is unknown. What a look-up has never answered is unknown.
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

/** @param type in the interface's spelling, or the operator's for a type that the interface does not know */
export function consentReading(type: string): FieldReading {
  return {
    field: { name: `consent.${type}`, kind: 'status', title: `the consent to ${consentWords[type] ?? type}` },
    sql: (joins) => {
      const key = type.toLowerCase();
      const consents = joins.aggregate('player_consent', 'player_consent');
      const given = consents.column(
        key,
        () =>
          `max(case when in_doubt or opted_in is null then 'unknown' else opted_in::text end) filter (where type_key = ${joins.writer.parameter(key, 'text')})`,
      );
      return `coalesce(${given}, 'unknown')`;
    },
  };
}

export function blockReading(type: string): FieldReading {
  return {
    field: { name: `block.${type}`, kind: 'status', title: `the block ${type}` },
    sql: (joins) => blockSql(type.toLowerCase(), joins),
  };
}

function blockSql(key: string, joins: Joins): string {
  const blocks = joins.aggregate('player_block', 'player_block');
  const active = blocks.column(
    key,
    () =>
      `bool_or(in_doubt or active is distinct from false) filter (where type_key = ${joins.writer.parameter(key, 'text')})`,
  );
  const looked = joins
    .aggregate('player_sync', 'player_sync')
    .column('blocks', () => `max(as_of) filter (where look_up = 'blocks')`);
  // A good answer that does not list a type says that it is not in force.
  return flagSql(`${active} is null and ${looked} is null`, `coalesce(${active}, false)`);
}

/** Whether the player is excluded or blocked, as last published (operator/protection): never a member of a usual segment. */
export function protectedSql(joins: Joins): string {
  const known = joins.table('player_protection');
  return `coalesce(${known}.excluded or ${known}.blocked, false)`;
}

const consentWords: Record<string, string> = {
  Email: 'e-mail',
  SMS: 'SMS',
  Telephone: 'telephone calls',
  PostMail: 'post',
  SiteNotification: 'messages on the site',
  PushNotification: 'push messages',
};
