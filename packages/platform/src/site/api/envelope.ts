import { type Envelope, type SiteErrorCode, siteErrors } from '@croupier/contracts';

/** A refusal of the site API; thrown by handlers, answered in the envelope with the status of its code. */
export class SiteRefusal extends Error {
  override name = 'SiteRefusal';
  readonly code: SiteErrorCode;
  readonly retryAfterSeconds: number | undefined;

  /** @param options.message replaces the code's own message; developers of the page read it, so it must not contain internals */
  constructor(code: SiteErrorCode, options: { message?: string; retryAfterSeconds?: number } = {}) {
    super(options.message ?? siteErrors[code].message);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** docs/reference/interface.md, Envelope; all three members are always present (docs/reference/decisions.md 8). */
export function answered<T>(data: T): Envelope<T> {
  return { Data: data, Success: true, Errors: [] };
}

export function failed(code: SiteErrorCode, message: string = siteErrors[code].message): Envelope<null> {
  return { Data: null, Success: false, Errors: [{ Message: message, Error: code, ErrorCodeID: siteErrors[code].id }] };
}
