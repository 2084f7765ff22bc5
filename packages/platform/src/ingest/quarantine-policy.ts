import type { Micros } from '@croupier/contracts';

/** What is known about an invalid body after one more try was counted. */
export interface QuarantinedBody {
  quarantine_id: number;
  state: QuarantineState;
  /** How often this exact body was sent, including this time. */
  tries: number;
  first_at: Micros;
}

export type QuarantineState = 'open' | 'reinjected' | 'dismissed';

const refusalWindow: Micros = 10 * 60 * 1_000_000;
const triesRefused = 10;

/**
 * Decides whether an invalid event is refused (400) or answered 200 `{"status":"quarantined"}`. Operators repeat until
 * they see 200 (docs/reference/interface.md, Delivery rules 2), so a body that will never be valid would block a queue
 * that publishes in order. Therefore it is answered 200 after 10 minutes or 10 further tries. Nothing is lost either
 * way, because it waits in quarantine for a person. A body that a person has resolved is answered 200 immediately
 * (docs/reference/decisions.md 1, "Invalid events").
 */
export function answerInvalid(body: QuarantinedBody, onInvalid: 'reject' | 'accept', now: Micros): 'refuse' | 'let_go' {
  if (onInvalid === 'accept' || body.state !== 'open') return 'let_go';
  if (body.tries > triesRefused) return 'let_go';
  if (body.tries > 1 && now - body.first_at >= refusalWindow) return 'let_go';
  return 'refuse';
}
