import type { FieldError, Micros, OperatorEventKind } from '@croupier/contracts';
import type { Logger } from 'pino';
import type { Brand } from '../brands/index.ts';
import { playerHash } from '../ledger/index.ts';
import type { Committer } from './committer.ts';
import type { LateEvents } from './late-events.ts';
import type { Quarantine } from './quarantine.ts';
import { validate } from './validate.ts';

/** What the operator is told about one event. */
export type Verdict =
  /** Durable: 200 `{"status":"ok"}`. */
  | { outcome: 'accepted' }
  /** Invalid, and kept for a person: 400, or 200 `{"status":"quarantined"}` when it was let go. */
  | { outcome: 'refused'; errors: FieldError[] }
  | { outcome: 'quarantined' }
  /** Not durable as far as is known: 503 with Retry-After. */
  | { outcome: 'away' | 'full' };

export interface ReceiveDeps {
  committer: Committer;
  quarantine: Quarantine;
  /** Absent: nobody was ever erased. */
  late?: Pick<LateEvents, 'drops'>;
  now: () => Micros;
  log: Logger;
}

/**
 * One event of one brand, from its body to the answer. `answer` is called exactly once; a callback and not a promise,
 * because this is the one path of the process that runs thousands of times a second.
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
    if (deps.late?.drops(brand.brand_id, validation.entry.player_hash)) {
      answer(accepted);
      return;
    }
    deps.committer.add(validation.entry, (refusal) => answer(refusal ? { outcome: refusal } : accepted));
    return;
  }
  const { errors, user_id } = validation;
  if (user_id !== null && deps.late?.drops(brand.brand_id, playerHash(brand.brand_id, user_id))) {
    answer({ outcome: 'quarantined' });
    return;
  }
  deps.quarantine.keep(brand, kind, body, errors, user_id).then(
    (decision) => answer(decision === 'let_go' ? { outcome: 'quarantined' } : { outcome: 'refused', errors }),
    (error: unknown) => {
      deps.log.warn(
        { err: error, brand: brand.code, kind },
        'an invalid event could not be kept; the operator will repeat it',
      );
      answer({ outcome: 'away' });
    },
  );
}

const accepted: Verdict = { outcome: 'accepted' };
