import { parseBody } from '@croupier/contracts';
import { type CallResult, type JsonObject, storableStart } from '../calling/index.ts';
import type { Judgment } from './judgment.ts';

/** A 200 whose body is JSON. Nothing is known yet about a record in it. */
export interface ReadableAnswer {
  verdict: 'readable';
  body: unknown;
  /** Bytes that are not UTF-8 are replaced by U+FFFD in the texts of the body. */
  damaged: boolean;
}

export type Unusable = Exclude<Judgment<never>, { verdict: 'record' }>;

/** Judges whether there was an answer, and whether it can be read. This first half is the same for every look-up. */
export function readAnswer(result: CallResult): ReadableAnswer | Unusable {
  if (!result.answered) return { verdict: 'failed', failure: result.failure, detail: result.detail };
  const { status } = result;
  if (status < 200 || status > 299) return judgeStatus(status, result.retry_after_ms);
  const { text, damaged } = decode(result.body);
  const parsed = parseBody(text);
  if (!parsed.ok) return { verdict: 'failed', failure: 'not_json', detail: `${status} with a body that is not JSON` };
  return { verdict: 'readable', body: parsed.body, damaged };
}

/** The meaning of a status other than 2xx, the same for every call about a player. */
export function judgeStatus(status: number, retryAfterMs: number | undefined): Unusable {
  const detail = `answered ${status}`;
  if (status === 404 || status === 410) return { verdict: 'unknown_player', detail };
  if (status === 401 || status === 403) return { verdict: 'failed', failure: 'unauthorized', detail };
  if (status === 429) return { verdict: 'failed', failure: 'rate_limited', detail, retry_after_ms: retryAfterMs };
  if (status >= 500) return { verdict: 'failed', failure: 'server_error', detail, retry_after_ms: retryAfterMs };
  if (status >= 300 && status < 400) return { verdict: 'failed', failure: 'redirected', detail };
  return { verdict: 'failed', failure: 'rejected', detail };
}

const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/**
 * Bytes that are not UTF-8 invalidate the fields that contain them, not the answer. Otherwise a name in Latin-1 would hide a
 * player's exclusion from the platform forever.
 */
function decode(body: Buffer): { text: string; damaged: boolean } {
  try {
    return { text: strict.decode(body), damaged: false };
  } catch {
    return { text: lenient.decode(body), damaged: true };
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const maxQuote = 200;

/** A 200 without the record. Keeps the operator's text, because it is usually an error, and rarely personal data. */
export function withoutRecord(body: unknown, lacks: string): Unusable {
  const said = isObject(body) ? (body.error ?? body.errors ?? body.message) : undefined;
  const quote = said === undefined ? '' : `: ${storableStart(JSON.stringify(said), maxQuote)}`;
  return { verdict: 'unknown_player', detail: `answered 200 without ${lacks}${quote}` };
}

/** The type of a value, for a problem's message that must not repeat the value. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? 'a number' : 'nothing';
}
