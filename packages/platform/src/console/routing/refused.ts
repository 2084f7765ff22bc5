import type { FieldError, ProblemCode } from '@croupier/contracts';

/** A call that is answered with a problem (RFC 9457) of the registry in @croupier/contracts. Thrown by handlers. */
export class Refused extends Error {
  override name = 'Refused';
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  /** Seconds, for the header Retry-After. */
  readonly retryAfter: number | null;

  /** @param detail what happened in this case; must be safe to show to the caller */
  constructor(code: ProblemCode, detail: string, more: { errors?: readonly FieldError[]; retryAfter?: number } = {}) {
    super(detail);
    this.code = code;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter ?? null;
  }
}
