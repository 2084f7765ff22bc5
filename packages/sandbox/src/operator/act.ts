import type { Books } from './books.ts';
import type { EndpointName } from './dials.ts';
import { reconcile } from './reconciliation.ts';
import type { BlockItem, ConsentItem, OperatorPlayer } from './records.ts';

/**
 * One call of an endpoint: the player of the path, the parsed body, and the headers (names in lower case, without credentials).
 */
export interface Question {
  user_id?: string | undefined;
  body: unknown;
  headers: Record<string, string>;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** A long answer, in pieces of text. If it is present, `body` is ignored. */
  stream?: Iterable<string>;
}

export interface OperatorBehavior {
  /** If true, a repeated Idempotency-Key gives the first answer again instead of a second credit. */
  honors_idempotency_key: boolean;
  /** Answers a look-up from an older state of the records, this many milliseconds old (the dial "stale"). */
  stale_ms?: number | undefined;
  now: () => number;
}

/** Carries out one healthy call: reads or changes the records and returns what a correct operator would answer. */
export function act(
  books: Books,
  endpoint: Exclude<EndpointName, 'token'>,
  question: Question,
  behavior: OperatorBehavior,
): Answer {
  switch (endpoint) {
    case 'userdetails':
      return lookUp(books, question, behavior, (player) => player.details);
    case 'userconsents':
      return lookUp(books, question, behavior, (player) => ({ consents: player.consents }));
    case 'userblocks':
      return lookUp(books, question, behavior, (player) => ({ blocks: player.blocks }));
    case 'userconsents_write': {
      const consents = items(question.body, 'consents', isConsent);
      return write(books, 'consents', question, consents === undefined ? undefined : { consents });
    }
    case 'userblocks_write': {
      const blocks = items(question.body, 'blocks', isBlock);
      return write(books, 'blocks', question, blocks === undefined ? undefined : { blocks });
    }
    case 'bonus_credit':
    case 'bonus_credit_funds':
      return credit(books, endpoint, question, behavior);
    case 'bonus_list':
      return {
        status: 200,
        body: {
          Data: books.offers.map((offer) => ({ text: offer.text, value: offer.bonus_code })),
          Success: true,
          Errors: [],
        },
      };
    case 'reconciliation':
      return reconcile(books, question.body, behavior.now);
    case 'authenticate': {
      const sid = sidOf(question.body);
      const userId = sid === undefined ? undefined : books.userOfSid(sid);
      return userId === undefined ? refused(401, 'sid unknown or expired') : { status: 200, body: { user_id: userId } };
    }
  }
}

function lookUp(
  books: Books,
  question: Question,
  behavior: OperatorBehavior,
  read: (player: OperatorPlayer) => unknown,
): Answer {
  const userId = question.user_id ?? '';
  const player = behavior.stale_ms === undefined ? books.player(userId) : books.playerAsOf(userId, behavior.stale_ms);
  return player === undefined ? refused(404, 'unknown player') : { status: 200, body: read(player) };
}

function write(
  books: Books,
  record: 'consents' | 'blocks',
  question: Question,
  changes: { consents: ConsentItem[] } | { blocks: BlockItem[] } | undefined,
): Answer {
  const userId = question.user_id ?? '';
  if (changes === undefined) return refused(400, `a ${record} record is expected: {"${record}": [...]}`);
  if (books.player(userId) === undefined) return refused(400, 'unknown player');
  books.addWriteBack(record, userId, question.body);
  books.change(userId, changes, 'platform');
  return { status: 200, body: { status: 'ok' } };
}

function credit(
  books: Books,
  endpoint: 'bonus_credit' | 'bonus_credit_funds',
  question: Question,
  behavior: OperatorBehavior,
): Answer {
  const user_id = field(question.body, 'user_id');
  const bonus_code = field(question.body, 'bonus_code');
  const amount = field(question.body, 'amount');
  const currency = field(question.body, 'currency');
  if (typeof user_id !== 'string' || user_id === '') return refused(400, 'user_id must be a string');
  if (typeof bonus_code !== 'string' || bonus_code === '') return refused(400, 'bonus_code must be a string');
  const funds = endpoint === 'bonus_credit_funds';
  if (funds && !(typeof amount === 'number' && amount > 0)) return refused(400, 'amount must be a number above 0');
  if (funds && typeof currency !== 'string') return refused(400, 'currency must be a string');
  const player = books.player(user_id);
  if (player === undefined) return refused(400, 'unknown player');
  if (player.details.is_blocked || player.details.is_excluded) return refused(400, 'the player is blocked or excluded');

  const key = question.headers['idempotency-key'] ?? null;
  const repeated = behavior.honors_idempotency_key && key !== null ? books.creditByKey(key) : undefined;
  if (repeated !== undefined) return { status: 200, body: { user_bonus_id: repeated.user_bonus_id } };

  const made = books.addCredit({
    endpoint,
    user_id,
    bonus_code,
    amount: typeof amount === 'number' ? amount : null,
    currency: typeof currency === 'string' ? currency : null,
    idempotency_key: key,
    headers: question.headers,
    body: question.body as Record<string, unknown>,
  });
  if (funds && typeof amount === 'number') books.moveMoney(user_id, { bonus: Math.round(amount * 100) });
  return { status: 200, body: { user_bonus_id: made.user_bonus_id } };
}

function refused(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** Returns the session id in the body of a call of /authenticate. */
export function sidOf(body: unknown): string | undefined {
  const sid = field(body, 'sid');
  return typeof sid === 'string' ? sid : undefined;
}

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

function items<T>(body: unknown, name: string, valid: (item: unknown) => item is T): T[] | undefined {
  const list = field(body, name);
  return Array.isArray(list) && list.every(valid) ? list : undefined;
}

function isConsent(item: unknown): item is ConsentItem {
  return typeof field(item, 'type') === 'string' && typeof field(item, 'opted_in') === 'boolean';
}

function isBlock(item: unknown): item is BlockItem {
  return typeof field(item, 'type') === 'string' && typeof field(item, 'active') === 'boolean';
}
