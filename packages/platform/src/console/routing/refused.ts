import { type FieldError, type Problem, type ProblemCode, problem } from '@croupier/contracts';
import { type Language, WordedError, type Words } from '../../language.ts';
import { inLanguage } from '../language/translate.ts';

/** A `FieldError` whose message can have both languages. A message of another part is English; the answer translates it. */
interface RefusedField extends Omit<FieldError, 'message'> {
  message: string | Words;
}

/** A call that is answered with a problem (RFC 9457) of the registry in @croupier/contracts. Thrown by handlers. */
export class Refused extends WordedError {
  override name = 'Refused';
  readonly code: ProblemCode;
  readonly errors: readonly RefusedField[];
  /** Seconds, for the header Retry-After. */
  readonly retryAfter: number | null;

  /** @param detail what happened in this case; must be safe to show to the caller */
  constructor(code: ProblemCode, detail: Words, more: { errors?: readonly RefusedField[]; retryAfter?: number } = {}) {
    super(detail);
    this.code = code;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter ?? null;
  }

  /** The answer for a caller who reads this language. */
  problemIn(language: Language): Problem {
    const errors = this.errors.map(({ message, ...where }) => ({
      ...where,
      message: typeof message === 'string' ? inLanguage(message, language) : message[language],
    }));
    return problem(this.code, { detail: this.words[language], errors });
  }
}

/** The refusal if the key of a call (header Idempotency-Key) was already used for another call. */
export function reusedKey({ words: { en, de } }: WordedError): Refused {
  return new Refused('conflict', { en: `Idempotency-Key: ${en}`, de: `Idempotency-Key: ${de}` });
}

/** Refuses one field of the call. The sentence is the detail and the message of the field. */
export function refusedField(path: string, rule: string, message: Words): Refused {
  return new Refused('invalid_request', message, { errors: [{ path, rule, message }] });
}
