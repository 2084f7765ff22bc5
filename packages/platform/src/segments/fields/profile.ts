import type { Field, FieldKind } from '@croupier/rules';
import { type ProfileField, profileFields } from '../../operator/judging/index.ts';
import type { Joins } from './joins.ts';
import type { FieldReading } from './reading.ts';

/*
 * `profile.<field>`: the operator's details of the player. Details that were never looked up are absent; flags are then
 * "unknown".
 */
interface ProfileMeaning {
  readonly kind: FieldKind;
  readonly title: string;
}

const text = (title: string): ProfileMeaning => ({ kind: 'text', title });

const meanings: Record<ProfileField, ProfileMeaning> = {
  username: text('the user name'),
  title: text('the form of address'),
  first_name: text('the first name'),
  last_name: text('the last name'),
  sex: text('the sex'),
  birth_date: { kind: 'date', title: 'the birth date' },
  email: text('the e-mail address'),
  mobile_prefix: text('the mobile prefix'),
  mobile: text('the mobile number'),
  address: text('the address'),
  postal_code: text('the postal code'),
  city: text('the city'),
  country: text('the country'),
  language: text('the language'),
  currency: text('the currency'),
  market: text('the market'),
  origin: text('the origin'),
  is_blocked: { kind: 'status', title: 'blocked in the details' },
  is_excluded: { kind: 'status', title: 'excluded in the details' },
  roles: { kind: 'list', title: 'the roles' },
  registration_code: text('the registration code'),
  registration_date: { kind: 'moment', title: 'the registration date' },
  verified_at: { kind: 'moment', title: 'the time of verification' },
  affiliate_reference: text('the affiliate reference'),
};

/** Fields with personal data. They get no list of known values. */
export const personalFields: ReadonlySet<string> = new Set([
  'username',
  'first_name',
  'last_name',
  'email',
  'mobile',
  'address',
  'postal_code',
  'birth_date',
]);

export const profileFieldNames: readonly string[] = profileFields;

export function profileReading(name: string): FieldReading | undefined {
  const known = (profileFields as readonly string[]).includes(name) ? (name as ProfileField) : undefined;
  if (known === undefined) return undefined;
  const field: Field = { name: `profile.${known}`, ...meanings[known] };
  const value = field.kind === 'status' ? 'unknown' : null;
  return {
    field,
    sql: (joins) => columnSql(known, joins),
    rowless: (joins) => ({ alias: joins.table('player_profile'), value }),
  };
}

function columnSql(name: ProfileField, joins: Joins): string {
  const profile = joins.table('player_profile');
  if (name === 'is_blocked' || name === 'is_excluded') {
    const doubt = `${profile}.${name === 'is_blocked' ? 'blocked' : 'excluded'}_in_doubt`;
    return flagSql(`${profile}.player_id is null`, `(${doubt} or ${profile}.${name} is distinct from false)`);
  }
  return name === 'birth_date' ? birthDateSql(profile) : `${profile}.${name}`;
}

/** A status: 'unknown' if nothing was ever reported, otherwise the effective value, as the gate reads it. */
export function flagSql(isUnknown: string, counts: string): string {
  return `case when ${isUnknown} then 'unknown' when ${counts} then 'true' else 'false' end`;
}

/** The date is stored as text that was checked on arrival. */
export function birthDateSql(profile: string): string {
  return `(case when ${profile}.birth_date ~ '^[12]\\d{3}-\\d{2}-\\d{2}$' then ${profile}.birth_date::date end)`;
}
