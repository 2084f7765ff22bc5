import {
  type Code,
  fromLocalTime,
  type Micros,
  readCountry,
  readCurrency,
  readLanguage,
  readMarket,
  readMobilePrefix,
  readTimestampText,
} from '@croupier/contracts';
import { type CallResult, type JsonObject, storableObject, storableText } from '../calling/index.ts';
import { isObject, kindOf, readAnswer, withoutRecord } from './answer.ts';
import type { Asked, DetailsRecord, FieldProblem, Judgment, ProfileField, ProfileFields } from './judgment.ts';
import { whyUnusable } from './why-unusable.ts';

/*
 * Judges GET /userdetails: whether this is the record of the requested player, and which of its fields can be used.
 *
 * The record counts if `user_id` is present and equal. Then each field is judged separately: a field of the wrong type keeps
 * its old value and is listed, and the others are used (docs/reference/decisions.md 4). Flags are an exception, to protect the player: a
 * flag that is not a boolean keeps its old value for display and counts as true for the gate (docs/reference/decisions.md 7).
 */
export function judgeDetails(result: CallResult, asked: Asked): Judgment<DetailsRecord> {
  const answer = readAnswer(result);
  if (answer.verdict !== 'readable') return answer;
  const { body } = answer;
  if (!isObject(body) || !isId(body.user_id)) return withoutRecord(body, 'user_id');
  const unusable = whyUnusable(body, asked, 'the record');
  if (unusable !== undefined) return unusable;
  return readDetails(body, { asked, damaged: answer.damaged });
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

interface Context {
  asked: Asked;
  damaged: boolean;
}

/** A reader returns the value to keep, or the reason why there is none. `remark` reports a problem with a value that is kept. */
type Reading<T> = { value: T; remark?: Omit<FieldProblem, 'path'> } | { problem: Omit<FieldProblem, 'path'> };
type Reader<T> = (value: unknown, context: Context) => Reading<T>;

function wrongType(wanted: string, value: unknown): { problem: Omit<FieldProblem, 'path'> } {
  if (value === undefined)
    return { problem: { reason: 'missing', message: `is missing; the last value stays in use` } };
  return {
    problem: {
      reason: 'wrong_type',
      message: `must be ${wanted}; received ${kindOf(value)}; the last value stays in use`,
    },
  };
}

const maxText = 2_000;

const text: Reader<string> = (value, { damaged }) => {
  if (typeof value !== 'string') return wrongType('a text', value);
  if (value.length > maxText)
    return {
      problem: { reason: 'too_large', message: `has more than ${maxText} characters; the last value stays in use` },
    };
  if (damaged && value.includes('\ufffd'))
    return {
      problem: { reason: 'damaged_text', message: 'contains bytes that are not UTF-8; the last value stays in use' },
    };
  return { value: storableText(value) };
};

function code(what: string, read: (text: string) => Code): Reader<string> {
  return (value, context) => {
    const reading = text(value, context);
    if ('problem' in reading || reading.value.trim() === '') return reading;
    const { code, known } = read(reading.value);
    if (known) return { value: code };
    return { value: code, remark: { reason: 'unknown_code', message: `is not a known ${what}; it is kept as sent` } };
  };
}

const birthDate: Reader<string> = (value, context) => {
  const reading = text(value, context);
  if ('problem' in reading || reading.value === '') return reading;
  if (isCalendarDay(reading.value)) return reading;
  return {
    problem: { reason: 'bad_format', message: 'must be a date YYYY-MM-DD, or empty; the last value stays in use' },
  };
};

function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const flag: Reader<boolean> = (value) => {
  if (typeof value === 'boolean') return { value };
  const found = value === undefined ? 'it is missing' : `received ${kindOf(value)}`;
  return {
    problem: {
      reason: value === undefined ? 'missing' : 'wrong_type',
      message: `must be true or false; ${found}; it counts as true until corrected`,
    },
  };
};

const roles: Reader<string[]> = (value) => {
  if (!Array.isArray(value)) return wrongType('a list of strings', value);
  const texts = value.filter((role) => typeof role === 'string');
  if (texts.length < value.length) return wrongType('a list of strings', value);
  return { value: texts.map(storableText) };
};

/** Optional: absent, null and blank all mean that there is no value. */
const moment: Reader<Micros | null> = (value, { asked }) => {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    return { value: null };
  if (typeof value !== 'string') return wrongType('a timestamp', value);
  const text = value.trim();
  const written = Number(text.slice(0, 4)) < 1900 ? undefined : readTimestampText(text);
  if (written !== undefined)
    return { value: written.zoned ? written.micros : fromLocalTime(asked.zone, written.micros).at };
  return { problem: { reason: 'bad_format', message: 'must be an ISO 8601 timestamp; the last value stays in use' } };
};

const readers: { [F in ProfileField]: Reader<ProfileFields[F]> } = {
  username: text,
  title: text,
  first_name: text,
  last_name: text,
  sex: text,
  birth_date: birthDate,
  email: text,
  mobile_prefix: code('mobile prefix', readMobilePrefix),
  mobile: text,
  address: text,
  postal_code: text,
  city: text,
  country: code('ISO 3166 country code', readCountry),
  language: code('BCP 47 language code', readLanguage),
  currency: code('currency code', readCurrency),
  market: code('market', readMarket),
  origin: text,
  is_blocked: flag,
  is_excluded: flag,
  roles,
  registration_code: text,
  registration_date: moment,
  verified_at: moment,
  affiliate_reference: text,
};
export const profileFields = Object.keys(readers) as ProfileField[];

function readDetails(body: JsonObject, context: Context): Judgment<DetailsRecord> {
  const problems: FieldProblem[] = [];
  const fields: Partial<Record<ProfileField, unknown>> = {};
  const unusable: ProfileField[] = [];
  for (const field of profileFields) {
    const reading: Reading<unknown> = readers[field](Object.hasOwn(body, field) ? body[field] : undefined, context);
    if ('problem' in reading) {
      unusable.push(field);
      problems.push({ path: field, ...reading.problem, message: `${field} ${reading.problem.message}` });
    } else {
      fields[field] = reading.value;
      if (reading.remark)
        problems.push({ path: field, ...reading.remark, message: `${field} ${reading.remark.message}` });
    }
  }
  const record: DetailsRecord = {
    fields: fields as Partial<ProfileFields>,
    unusable,
    blocked_in_doubt: unusable.includes('is_blocked'),
    excluded_in_doubt: unusable.includes('is_excluded'),
    segmentation: readSegmentation(body.segmentation, problems),
    extra: readExtra(body, problems),
  };
  return { verdict: 'record', record, problems };
}

/** Optional, with free keys. PHP encodes an empty object as an empty list. */
function readSegmentation(value: unknown, problems: FieldProblem[]): JsonObject | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return {};
  const path = 'segmentation';
  if (!isObject(value)) {
    const message = `segmentation must be an object; received ${kindOf(value)}; the last value stays in use`;
    problems.push({ path, reason: 'wrong_type', message });
    return undefined;
  }
  return retained(value, path, problems);
}

function readExtra(body: JsonObject, problems: FieldProblem[]): JsonObject | undefined {
  const known = new Set<string>([...profileFields, 'user_id', 'segmentation']);
  const extra = Object.fromEntries(Object.entries(body).filter(([name]) => !known.has(name)));
  return retained(extra, 'further fields', problems);
}

function retained(value: JsonObject, path: string, problems: FieldProblem[]): JsonObject | undefined {
  const clean = storableObject(value);
  if (clean === undefined) {
    problems.push({
      path,
      reason: 'too_large',
      message: `${path}: more than 16 KiB or nested too deeply; the last value stays in use`,
    });
  }
  return clean;
}
