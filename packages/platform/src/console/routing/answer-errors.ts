import { problem } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { isDatabaseAway, isUnfitValue } from '../../database/index.ts';
import { AccountRefused } from '../accounts/accounts.ts';
import { LoginsBusy } from '../accounts/passwords.ts';
import { InvalidCursor } from '../paging/cursor.ts';
import { Refused } from './refused.ts';

/** Answers refusals of the console as problems; other errors are passed on to the server's handler, and its log. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    const refused = refusedOf(error);
    if (refused === null) throw error;
    const body = problem(refused.code, { detail: refused.message, errors: [...refused.errors] });
    if (refused.retryAfter !== null) reply.header('retry-after', refused.retryAfter);
    if (body.status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(body.status).type('application/problem+json').send(body);
  });
}

function refusedOf(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  if (error instanceof InvalidCursor) {
    const errors = [{ path: 'cursor', rule: 'cursor', message: error.message }];
    return new Refused('invalid_request', error.message, { errors });
  }
  if (error instanceof AccountRefused) return new Refused('invalid_request', error.message);
  if (isUnfitValue(error)) {
    return new Refused('invalid_request', 'A value of the request is out of range, or contains a NUL character.');
  }
  if (isDatabaseAway(error)) {
    return new Refused('store_unavailable', 'The database does not answer. Retry.', { retryAfter: 1 });
  }
  if (error instanceof LoginsBusy) return new Refused('too_many_requests', error.message, { retryAfter: 1 });
  return null;
}
