import { hash } from 'node:crypto';
import { changesProtection, type FieldError, type Micros, type OperatorEventKind } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../brands/index.ts';
import { transaction } from '../database/index.ts';
import { holdQuarantined, type QuarantinedUpdate } from '../ledger/index.ts';
import type { Committer, Refusal } from './committer.ts';
import { answerInvalid, type QuarantinedBody } from './quarantine-policy.ts';
import { getQuarantined, type InvalidBody, keepInvalid, keyOf, resolveQuarantined } from './quarantine-store.ts';
import { playersNamed, validate } from './validate.ts';

/** Maximum number of invalid bodies waiting for the store. Calls above it get 503, like valid events. */
const maxWaiting = 2_000;
const maxWaitingBytes = 32 * 1024 * 1024;
/** A caller gets 503 after this long, as with valid events, even if the database has not answered. */
const keepLimitMs = 5_000;
/** Maximum number of bodies per statement. */
const maxBatch = 200;

type Waiting = {
  body: Omit<InvalidBody, 'at'>;
  resolve: (answer: 'refuse' | 'let_go') => void;
  reject: (error: Error) => void;
  brand: Brand;
};

/**
 * Returns the updates for which the gate must hold contacts: the body is answered 200 although it is invalid, and a player's protection may
 * have changed. The update is never applied; the gate waits for look-ups instead (docs/decisions/1033). A body without a readable user_id
 * applies to no player. Pure.
 */
function updateOf({
  body: { kind, brand_id, user_id },
  answer,
  known,
}: {
  body: Omit<InvalidBody, 'at'>;
  answer: 'refuse' | 'let_go';
  known: QuarantinedBody | undefined;
}): QuarantinedUpdate[] {
  if (answer !== 'let_go' || known === undefined || user_id === null || !changesProtection(kind)) return [];
  return playersNamed(user_id).map((player) => ({ quarantine_id: known.quarantine_id, brand_id, user_id: player }));
}

/** The quarantine is full at the moment. The caller can retry. */
export class QuarantineFull extends Error {
  override name = 'QuarantineFull';
}

/** The ledger did not accept the event, so the transaction that marks the item is rolled back. */
class NotAppended extends Error {
  override name = 'NotAppended';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`the ledger did not accept the event: ${refusal}`);
    this.refusal = refusal;
  }
}

/** Writes more in the transaction that resolves an item. If it throws, the item stays open. */
type AlsoWrite = (tx: ClientBase) => Promise<void>;
const nothingMore: AlsoWrite = async () => {};

export type Reinjection =
  | { ok: true }
  | { ok: false; why: 'not_found' | 'not_open' }
  | { ok: false; why: 'invalid'; errors: FieldError[] }
  | { ok: false; why: 'store'; refusal: Refusal };

/**
 * Stores every event that could not be accepted, and lets a person correct and re-inject it or dismiss it.
 *
 * It runs one statement at a time, on connections that the ledger does not use. So an operator that only sends invalid
 * events gets its answers later, and slows down no other operator.
 */
export class Quarantine {
  #pool: Pool;
  #now: () => Micros;
  #committer: Committer;
  #ready: () => Promise<void>;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;

  constructor(options: {
    pool: Pool;
    committer: Committer;
    now: () => Micros;
    /** Awaited before bodies are stored. Rejects while `now` may be wrong, because bodies are removed by their age. */
    ready: () => Promise<void>;
  }) {
    this.#pool = options.pool;
    this.#committer = options.committer;
    this.#now = options.now;
    this.#ready = options.ready;
  }

  /**
   * Stores the body. Resolves when it is durable, with what to answer.
   *
   * @throws {QuarantineFull} and errors of the database: the answer is then 503
   */
  keep(
    brand: Brand,
    kind: OperatorEventKind,
    body: Buffer,
    reasons: FieldError[],
    userId: string | null,
  ): Promise<'refuse' | 'let_go'> {
    if (this.#waiting.length >= maxWaiting || this.#bytes + body.length > maxWaitingBytes) {
      return Promise.reject(new QuarantineFull('too many invalid events are waiting for the quarantine'));
    }
    const retained = new Promise<'refuse' | 'let_go'>((resolve, reject) => {
      this.#bytes += body.length;
      this.#waiting.push({
        brand,
        resolve,
        reject,
        body: {
          brand_id: brand.brand_id,
          kind,
          body_sha256: hash('sha256', body, 'buffer'),
          body,
          reasons,
          user_id: userId,
          tries: 1,
        },
      });
      this.#running ??= this.#drain().finally(() => {
        this.#running = undefined;
      });
    });
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new QuarantineFull('the quarantine did not answer in time')),
      keepLimitMs,
    );
    return Promise.race([retained, late.promise]).finally(() => clearTimeout(timer));
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch);
      for (const { body } of batch) this.#bytes -= body.body.length;
      try {
        await this.#ready();
        const at = this.#now();
        const distinct = new Map<string, InvalidBody>();
        for (const { body } of batch) {
          const same = distinct.get(keyOf(body));
          if (same) same.tries += 1;
          else distinct.set(keyOf(body), { ...body, at });
        }
        const remaining = await keepInvalid(this.#pool, [...distinct.values()]);
        const stored = new Map([...distinct.keys()].map((key, i) => [key, remaining[i]]));
        const answers = batch.map(({ body, brand }) => {
          const known = stored.get(keyOf(body));
          return known === undefined
            ? { body, answer: 'refuse' as const, known: undefined }
            : { body, answer: answerInvalid(known, brand.settings.on_invalid, this.#now()), known };
        });
        await holdQuarantined(this.#pool, answers.flatMap(updateOf));
        for (const [place, { resolve }] of batch.entries()) resolve(answers[place]?.answer ?? 'refuse');
      } catch (error) {
        for (const { reject } of batch) reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  /** Validates a body that should replace a quarantined one, as a re-injection would. Writes nothing. */
  async check(brand: Brand, quarantineId: number, body: Buffer): Promise<FieldError[] | undefined> {
    const item = await getQuarantined(this.#pool, brand.brand_id, quarantineId);
    if (item === undefined) return undefined;
    const validation = validate(brand, item.kind, body, this.#now());
    return validation.ok ? [] : validation.errors;
  }

  /**
   * Re-injects a quarantined event, or a corrected body instead, like any other event: same validation, same ledger,
   * same ordering rules.
   *
   * The item is marked first, and the mark is committed after the append. So the ledger gets the event only if everything
   * else was written. If the process dies between the append and the commit, the item stays open. A second re-injection is then
   * an ordinary duplicate, which derive removes.
   */
  async reinject(
    brand: Brand,
    quarantineId: number,
    by: string,
    corrected: Buffer | null,
    alsoWrite = nothingMore,
  ): Promise<Reinjection> {
    const item = await getQuarantined(this.#pool, brand.brand_id, quarantineId);
    if (item === undefined) return { ok: false, why: 'not_found' };
    if (item.state !== 'open') return { ok: false, why: 'not_open' };
    const validation = validate(brand, item.kind, corrected ?? item.body, this.#now());
    if (!validation.ok) return { ok: false, why: 'invalid', errors: validation.errors };
    const { entry, user_id } = validation;
    try {
      return await transaction(this.#pool, async (tx): Promise<Reinjection> => {
        const marked = await resolveQuarantined(tx, brand.brand_id, quarantineId, {
          state: 'reinjected',
          at: this.#now(),
          by,
          note: null,
          corrected_body: corrected,
          corrected_user_id: corrected === null ? null : user_id,
        });
        if (!marked) return { ok: false, why: 'not_open' };
        await alsoWrite(tx);
        const refusal = await new Promise<Refusal | undefined>((done) => this.#committer.add(entry, done));
        if (refusal !== undefined) throw new NotAppended(refusal);
        return { ok: true };
      });
    } catch (error) {
      if (error instanceof NotAppended) return { ok: false, why: 'store', refusal: error.refusal };
      throw error;
    }
  }

  /** A person dismisses this event. Its body is kept, so that people can look at it later. */
  async dismiss(
    brand: Brand,
    quarantineId: number,
    by: string,
    note: string,
    alsoWrite = nothingMore,
  ): Promise<'ok' | 'not_found' | 'not_open'> {
    const done = await transaction(this.#pool, async (tx) => {
      const marked = await resolveQuarantined(tx, brand.brand_id, quarantineId, {
        state: 'dismissed',
        at: this.#now(),
        by,
        note,
        corrected_body: null,
        corrected_user_id: null,
      });
      if (marked) await alsoWrite(tx);
      return marked;
    });
    if (done) return 'ok';
    return (await getQuarantined(this.#pool, brand.brand_id, quarantineId)) ? 'not_open' : 'not_found';
  }

  async stop(): Promise<void> {
    await this.#running;
  }
}
