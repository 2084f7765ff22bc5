import { storableDetail } from '../../calling/index.ts';
import { JsonTokens, marks, NotJson, type TokenSink } from './json-tokens.ts';

/*
 * Reads a reconciliation result (docs/reference/interface.md, Resources) while it arrives: `users`, `timestamp` and `error` in
 * any order, with other fields skipped. Ids are passed on as they arrive. The receiver must not apply them before `end`,
 * because an `error` may still follow the last of five million.
 *
 * The name `error` matches in any case, because known envelopes differ in case only, and a list beside an error proves nothing.
 * No message quotes a value that may be an id: it names the position. Only the operator's own error text is kept, until the
 * next erasure in the brand.
 *
 * If any part is not valid, the whole result is unusable. A list with one unreadable entry may lack a player who gave consent,
 * and the consent of a missing player is withdrawn.
 */

/** Why an answer with status 200 is unusable. */
const unusableReasons = [
  'operator_error',
  'malformed',
  'not_utf8',
  'truncated',
  'no_users',
  'bad_id',
  'no_timestamp',
  'bad_timestamp',
  'future_timestamp',
  'old_timestamp',
] as const;
export type UnusableReason = (typeof unusableReasons)[number];

export class UnusableResult extends Error {
  override name = 'UnusableResult';
  readonly reason: UnusableReason;
  constructor(reason: UnusableReason, message: string) {
    super(storableDetail(message));
    this.reason = reason;
  }
}

/** The longest user_id that events may carry (contracts, fields/id.ts). */
const maxIdLength = 255;
/** Maximum depth of fields that the interface does not know. */
const maxDepth = 64;
const wholeNumber = /^-?\d+$/;
const known: ReadonlySet<string> = new Set(['users', 'timestamp', 'error']);

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

export class ResultReader implements TokenSink {
  #onId: (id: string) => void;
  #tokens = new JsonTokens(this);
  #decoder = new TextDecoder('utf-8', { fatal: true });
  #expected: Expected = 'value';
  /** Open objects and lists, by their opening mark. */
  #open: number[] = [];
  /** Key of the field of the result that is being read. */
  #key = '';
  #seen = new Set<string>();
  #hasUsers = false;
  #users = 0;
  #timestamp: string | undefined;

  constructor(onId: (id: string) => void) {
    this.#onId = onId;
  }

  /** @throws {UnusableResult} as soon as it is certain */
  push(bytes: Uint8Array): void {
    this.#guarded(() => this.#tokens.push(this.#decode(bytes)));
  }

  /** Call it at the end of the answer. @returns its timestamp as written. @throws {UnusableResult} */
  end(): string {
    this.#guarded(() => {
      this.#tokens.push(this.#decode());
      this.#tokens.end();
    });
    if (this.#expected !== 'nothing') throw new UnusableResult('truncated', 'the answer is incomplete');
    if (!this.#hasUsers) throw new UnusableResult('no_users', 'the result has no list of users');
    if (this.#timestamp === undefined) throw new UnusableResult('no_timestamp', 'the result has no timestamp');
    return this.#timestamp;
  }

  mark(code: number): void {
    if (code === marks.openObject || code === marks.openList) this.#openValue(code);
    else if (code === marks.closeObject || code === marks.closeList) this.#close(code);
    else if (code === marks.comma) {
      if (this.#expected !== 'comma or end') throw this.#unexpected(',');
      this.#expected = this.#open.at(-1) === marks.openObject ? 'key' : 'value';
    } else {
      if (this.#expected !== 'colon') throw this.#unexpected(':');
      this.#expected = 'value';
    }
  }

  string(text: string): void {
    if (this.#expected === 'key' || this.#expected === 'key or end') this.#beginField(text);
    else {
      this.#takeValue('a text');
      if (this.#isUser()) this.#user(text);
      else if (this.#open.length === 1) this.#field(text);
    }
  }

  word(text: string): void {
    this.#takeValue('a word or a number');
    const value = text === 'null' ? null : text === 'true' ? true : text === 'false' ? false : Number(text);
    if (this.#isUser()) this.#user(wholeNumber.test(text) ? text : undefined);
    else if (this.#open.length === 1) this.#field(value);
  }

  #beginField(key: string): void {
    this.#expected = 'colon';
    if (this.#open.length !== 1) return;
    this.#key = key.toLowerCase() === 'error' ? 'error' : key;
    if (!known.has(this.#key)) return;
    if (this.#seen.has(this.#key)) throw new UnusableResult('malformed', `"${this.#key}" occurs twice`);
    this.#seen.add(this.#key);
  }

  #field(value: string | number | boolean | null): void {
    if (value === null) return;
    if (this.#key === 'error' && value !== '')
      throw new UnusableResult('operator_error', `the operator reports: ${value}`);
    if (this.#key === 'users') throw new UnusableResult('no_users', '"users" is not a list');
    if (this.#key !== 'timestamp') return;
    if (typeof value !== 'string') throw new UnusableResult('bad_timestamp', 'the timestamp is not a string');
    this.#timestamp = value;
  }

  /** Numbers keep their digits as written, so one beyond 2^53 is not rounded (docs/reference/decisions.md 1, "Ids"). */
  #user(id: string | undefined): void {
    const fits = id !== undefined && id.length <= maxIdLength && id.trim() !== '';
    if (!fits || id.includes('\u0000') || !id.isWellFormed()) {
      const problem =
        id === undefined ? 'neither a string nor a whole number' : 'blank, too long, or not valid Unicode';
      throw new UnusableResult('bad_id', `entry ${this.#users + 1} of users is not an id: it is ${problem}`);
    }
    this.#users++;
    this.#onId(id);
  }

  /** Directly inside `users`, which is a list. */
  #isUser(): boolean {
    return this.#open.length === 2 && this.#key === 'users';
  }

  #takeValue(found: string): void {
    if (this.#expected !== 'value' && this.#expected !== 'value or end') throw this.#unexpected(found);
    if (this.#open.length === 0) throw new UnusableResult('malformed', 'the answer is not a JSON object');
    this.#expected = 'comma or end';
  }

  #openValue(code: number): void {
    const isList = code === marks.openList;
    if (this.#expected !== 'value' && this.#expected !== 'value or end') throw this.#unexpected(isList ? '[' : '{');
    if (this.#open.length === 0 && isList) throw new UnusableResult('malformed', 'the answer is not a JSON object');
    if (this.#isUser()) this.#user(undefined);
    if (this.#open.length === 1) {
      if (this.#key === 'error') throw new UnusableResult('operator_error', 'the result contains an error');
      if (this.#key === 'timestamp') throw new UnusableResult('bad_timestamp', 'the timestamp is not a string');
      if (this.#key === 'users' && !isList) throw new UnusableResult('no_users', '"users" is not a list');
      if (this.#key === 'users') this.#hasUsers = true;
    }
    if (this.#open.length === maxDepth) throw new UnusableResult('malformed', `nested deeper than ${maxDepth}`);
    this.#open.push(code);
    this.#expected = isList ? 'value or end' : 'key or end';
  }

  #close(code: number): void {
    const isList = code === marks.closeList;
    const mayEnd = this.#expected === 'comma or end' || this.#expected === (isList ? 'value or end' : 'key or end');
    const matches = this.#open.at(-1) === (isList ? marks.openList : marks.openObject);
    if (!mayEnd || !matches) throw this.#unexpected(isList ? ']' : '}');
    this.#open.pop();
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma or end';
  }

  #unexpected(found: string): UnusableResult {
    return new UnusableResult('malformed', `found ${found}, expected ${this.#expected}`);
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new UnusableResult(bytes === undefined ? 'truncated' : 'not_utf8', 'the answer is not UTF-8');
    }
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof NotJson) throw new UnusableResult(error.isCut ? 'truncated' : 'malformed', error.message);
      throw error;
    }
  }
}
