import { type ProblemCode, problem } from '@croupier/contracts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';

/** Why a provider's call is refused. */
export class Refused extends Error {
  readonly statusCode: number;
  readonly code: ProblemCode;
  readonly retryAfter: number | undefined;
  constructor(code: ProblemCode, detail: string, retryAfter?: number) {
    super(detail);
    this.code = code;
    this.statusCode = problem(code).status;
    this.retryAfter = retryAfter;
  }
}

export function answerRefusals(app: FastifyInstance, { log }: { log: Logger }): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply: FastifyReply) => {
    // The server itself answers a malformed or too long body.
    if (!(error instanceof Refused)) throw error;
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
    if (error.code === 'forbidden') log.warn(`a call of a provider was refused: ${error.message}`);
    return reply
      .code(error.statusCode)
      .type('application/problem+json')
      .send(problem(error.code, { detail: error.message }));
  });
}
