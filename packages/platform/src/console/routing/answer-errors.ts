import type { FastifyInstance } from 'fastify';
import { isDatabaseAway, isUnfitValue } from '../../database/index.ts';
import { languageOf } from '../../language.ts';
import { AccountRefused } from '../accounts/accounts.ts';
import { LoginsBusy } from '../accounts/passwords.ts';
import { InvalidCursor } from '../paging/cursor.ts';
import { Refused, refusedField } from './refused.ts';

/** Answers refusals of the console as problems; other errors are passed on to the server's handler, and its log. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refused = refusedOf(error);
    if (refused === null) throw error;
    const language = languageOf(request.headers['accept-language']);
    const body = refused.problemIn(language);
    if (refused.retryAfter !== null) reply.header('retry-after', refused.retryAfter);
    if (body.status === 401) reply.header('www-authenticate', 'Bearer');
    reply.header('content-language', language);
    return reply.code(body.status).type('application/problem+json').send(body);
  });
}

function refusedOf(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  if (error instanceof InvalidCursor) {
    return refusedField('cursor', 'cursor', error.words);
  }
  if (error instanceof AccountRefused) return new Refused('invalid_request', error.words);
  if (isUnfitValue(error)) {
    return new Refused('invalid_request', {
      en: 'A value of the request is out of range, or contains a NUL character.',
      de: 'Ein Wert der Anfrage liegt außerhalb des zulässigen Bereichs oder enthält ein NUL-Zeichen.',
    });
  }
  if (isDatabaseAway(error)) {
    return new Refused(
      'store_unavailable',
      { en: 'The database does not answer. Retry.', de: 'Die Datenbank antwortet nicht. Versuchen Sie es erneut.' },
      { retryAfter: 1 },
    );
  }
  if (error instanceof LoginsBusy) return new Refused('too_many_requests', error.words, { retryAfter: 1 });
  return null;
}
