import type { FieldError, Micros, OperatorEventKind, OwnEventKind } from '@croupier/contracts';
import type { Logger } from 'pino';
import type { Brand } from '../brands/index.ts';
import { type LedgerEntry, playerHash } from '../ledger/index.ts';
import type { Committer } from './committer.ts';
import type { LateEvents } from './late-events.ts';
import type { Quarantine } from './quarantine.ts';
import { playersNamed, validate } from './validate.ts';

/** The answer to one event. */
export type Verdict =
  /** Durable: 200 `{"status":"ok"}`. */
  | { outcome: 'accepted' }
  /** Invalid, and stored for a person: 400, or 200 `{"status":"quarantined"}` so that the operator stops sending it. */
  | { outcome: 'refused'; errors: FieldError[] }
  | { outcome: 'quarantined' }
  /** Not known to be durable: 503 with Retry-After. */
  | { outcome: 'away' | 'full' };

export interface ReceiveDeps {
  committer: Committer;
  quarantine: Quarantine;
  /** Knows the erased players. Always present in an api process; tests may omit it. */
  late?: Pick<LateEvents, 'drops'>;
  now: () => Micros;
  log: Logger;
}

/**
 * Processes one event of one brand, from its body to the answer. It calls `answer` exactly once. It uses a callback
 * instead of a promise, because this is the only code of the process that runs thousands of times per second.
 */
export function receive(
  deps: ReceiveDeps,
  brand: Brand,
  kind: OperatorEventKind,
  body: Buffer,
  answer: (verdict: Verdict) => void,
): void {
  const validation = validate(brand, kind, body, deps.now());
  if (validation.ok) {
    commit(deps, validation.entry, answer);
    return;
  }
  const { errors, user_id } = validation;
  const isErased = (name: string) => deps.late?.drops(brand.brand_id, playerHash(brand.brand_id, name)) ?? false;
  if (user_id !== null && playersNamed(user_id).some(isErased)) {
    answer({ outcome: 'quarantined' });
    return;
  }
  deps.quarantine.keep(brand, kind, body, errors, user_id).then(
    (decision) => answer(decision === 'let_go' ? { outcome: 'quarantined' } : { outcome: 'refused', errors }),
    (error: unknown) => {
      deps.log.warn(
        { err: error, brand: brand.code, kind },
        'an invalid event could not be stored; the operator will retry it',
      );
      answer({ outcome: 'away' });
    },
  );
}

/**
 * Processes one event of the platform's own kinds, such as a page's, in the same way. An invalid one is refused and not
 * stored, because the quarantine is for events that an operator repeats and a person can correct.
 */
export function receiveOwn(
  deps: Pick<ReceiveDeps, 'committer' | 'late' | 'now'>,
  brand: Brand,
  kind: OwnEventKind,
  body: Buffer,
): Promise<Exclude<Verdict, { outcome: 'quarantined' }>> {
  const validation = validate(brand, kind, body, deps.now());
  if (!validation.ok) return Promise.resolve({ outcome: 'refused', errors: validation.errors });
  return new Promise((resolve) => commit(deps, validation.entry, resolve));
}

/** A late event of an erased player is answered like any other, but not stored. */
function commit(
  { committer, late }: Pick<ReceiveDeps, 'committer' | 'late'>,
  entry: LedgerEntry,
  answer: (verdict: Committed) => void,
): void {
  if (late?.drops(entry.brand_id, entry.player_hash)) {
    answer(accepted);
    return;
  }
  committer.add(entry, (refusal) => answer(refusal ? { outcome: refusal } : accepted));
}

type Committed = Extract<Verdict, { outcome: 'accepted' | 'away' | 'full' }>;
const accepted: Committed = { outcome: 'accepted' };
