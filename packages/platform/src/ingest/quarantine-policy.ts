import type { Micros } from '@croupier/contracts';

/** What is known of an invalid body when one more try of it has been counted. */
export interface QuarantinedBody {
  quarantine_id: number;
  state: QuarantineState;
  /** Times that this very body was sent, this one included. */
  tries: number;
  first_at: Micros;
}

export type QuarantineState = 'open' | 'reinjected' | 'dismissed';

const refusalWindow: Micros = 10 * 60 * 1_000_000;
const triesRefused = 10;

/**
 * Whether an invalid event is refused (400) or answered 200 `{"status":"quarantined"}`. Operators repeat until they see
 * 200 (docs/reference/interface.md, Delivery rules 2), so a body that will never be valid would stall a queue that publishes in order:
 * after 10 minutes or 10 further tries it is let go. Nothing is lost either way, it waits in quarantine for a person; a
 * body that a person has dealt with is let go at once (docs/reference/decisions.md 1, "Invalid events").
 */
export function answerInvalid(body: QuarantinedBody, onInvalid: 'reject' | 'accept', now: Micros): 'refuse' | 'let_go' {
  if (onInvalid === 'accept' || body.state !== 'open') return 'let_go';
  if (body.tries > triesRefused) return 'let_go';
  if (body.tries > 1 && now - body.first_at >= refusalWindow) return 'let_go';
  return 'refuse';
}
