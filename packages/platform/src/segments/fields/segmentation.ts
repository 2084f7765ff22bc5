import type { FieldKind } from '@croupier/rules';
import type { SegmentationKind } from '../../brands/index.ts';
import type { Joins } from './joins.ts';
import type { FieldReading } from './reading.ts';

/** A segmentation key of the brand's players, with the kind that the platform reads it as. */
export interface SegmentationKey {
  readonly key: string;
  readonly kind: SegmentationKind;
  readonly unit: string;
  /** The first value that was seen. */
  readonly sample: unknown;
}

const kinds: Record<SegmentationKind, FieldKind> = {
  number: 'number',
  text: 'text',
  boolean: 'flag',
  timestamp: 'moment',
};

/**
 * `profile.segmentation.<key>`: the operator's own data about the player. A value that cannot be read as the kind of
 * the key is absent.
 */
export function segmentationReading({ key, kind, unit }: SegmentationKey, zonelessZone: string): FieldReading {
  return {
    field: {
      name: `profile.segmentation.${key}`,
      kind: kinds[kind],
      title: `the operator's ${key}`,
      ...(kind === 'number' && unit !== 'number' && { unit }),
    },
    sql: (joins) => readers[kind](rawOf(key, joins), joins, zonelessZone),
  };
}

/** The JSON value and its trimmed text; null for an empty value. */
interface Raw {
  readonly type: string;
  readonly text: string;
}

function rawOf(key: string, joins: Joins): Raw {
  const profile = joins.table('player_profile');
  const name = joins.writer.parameter(key, 'text');
  return {
    type: `jsonb_typeof(${profile}.segmentation -> ${name})`,
    text: `nullif(regexp_replace(${profile}.segmentation ->> ${name}, '^\\s+|\\s+$', '', 'g'), '')`,
  };
}

/*
 * These SQL expressions read values in the same way as `valueAs` of the operator stage (operator/players/segmentation/value.ts). A cast of
 * a number with more than 131,072 digits fails, and then the statement for all players fails. So a number with more than 255 digits, the
 * highest count that a regular expression can state, is absent.
 */
const readers: Record<SegmentationKind, (raw: Raw, joins: Joins, zone: string) => string> = {
  number: ({ type, text }) =>
    `(case when ${type} = 'number' or (${type} = 'string' and ${text} ~ '^[+-]?\\d{1,255}(\\.\\d{1,255})?$') then ${text}::numeric end)`,
  text: ({ type, text }) =>
    `(case ${type} when 'number' then trim_scale(${text}::numeric)::text when 'string' then ${text} when 'boolean' then ${text} end)`,
  boolean: ({ type, text }) =>
    `(case when ${type} in ('boolean', 'string', 'number') then case when lower(${text}) in ('true', '1') then true when lower(${text}) in ('false', '0') then false end end)`,
  timestamp: ({ type, text }, joins, zone) =>
    `(case when ${type} = 'string' then ${momentSql(text, joins.writer.parameter(zone, 'text'))} end)`,
};

const timestamp =
  '^([12]\\d{3})-(0[1-9]|1[0-2])-(\\d\\d)[T ](\\d{1,2}):(\\d\\d):(\\d\\d(?:\\.\\d{1,9})?)\\s?(Z|z|[+-]\\d\\d:?\\d\\d)?$';

/**
 * Converts a text that may be a timestamp to a moment; null if it is not a valid instant. A cast would make the
 * statement fail for June 31.
 */
function momentSql(text: string, zone: string): string {
  const part = (place: number) => `m[${place}]`;
  const day = `make_date(${part(1)}::int, ${part(2)}::int, 1) + (${part(3)}::int - 1)`;
  const wall = `(${day})::timestamp + make_interval(hours => ${part(4)}::int, mins => ${part(5)}::int, secs => ${part(6)}::float8)`;
  const offset = `replace(${part(7)}, ':', '')`;
  const minutes = `(left(${offset}, 1) || '1')::int * (substr(${offset}, 2, 2)::int * 60 + substr(${offset}, 4, 2)::int)`;
  return `(select case
              when extract(month from ${day}) <> ${part(2)}::int or ${part(4)}::int > 23 or ${part(5)}::int > 59 or ${part(6)}::float8 >= 60 then null
              when ${part(7)} is null then (${wall}) at time zone ${zone}
              when lower(${part(7)}) = 'z' then (${wall}) at time zone 'UTC'
              else (${wall} - make_interval(mins => ${minutes})) at time zone 'UTC' end
            from regexp_match(${text}, '${timestamp}') m where m is not null)`;
}
