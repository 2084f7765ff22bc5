import { expect, test } from 'vitest';
import type { CallResult } from '../calling/client/operator-client.ts';
import { isAlive, judgeWrite } from './judge-write.ts';

const answer = (status: number, body = ''): CallResult => ({ answered: true, status, body: Buffer.from(body) });

test.each<[name: string, result: CallResult, outcome: string, alive: boolean]>([
  ['200 without a body', answer(200), 'stored', true],
  ['204', answer(204), 'stored', true],
  ['200 with a text', answer(200, 'OK'), 'stored', true],
  ['200 with JSON', answer(200, '{"status":"ok"}'), 'stored', true],
  ['200 with the record', answer(200, '{"consents":[]}'), 'stored', true],
  ['200 with an envelope of success', answer(200, '{"Data":null,"Success":true,"Errors":[]}'), 'stored', true],
  ['200 with error null', answer(200, '{"error":null}'), 'stored', true],
  ['200 with an error', answer(200, '{"error":"no"}'), 'not_stored', true],
  ['200 with errors', answer(200, '{"Errors":[{"Message":"no"}]}'), 'not_stored', true],
  ['200 with success false', answer(200, '{"Success":"False"}'), 'not_stored', true],
  ['200 with status failed', answer(200, '{"status":"FAILED"}'), 'not_stored', true],
  ['400', answer(400, '{"error":"type"}'), 'rejected', true],
  ['409', answer(409), 'rejected', true],
  ['404', answer(404), 'unknown_player', true],
  ['401', answer(401), 'unauthorized', false],
  ['302', answer(302), 'redirected', false],
  ['429', answer(429), 'rate_limited', false],
  ['500', answer(500), 'server_error', false],
  ['nothing', { answered: false, failure: 'timeout', detail: 'late', sent: true }, 'timeout', false],
])('%s', (_name, result, outcome, alive) => {
  const judged = judgeWrite(result);
  expect(judged.stored ? 'stored' : judged.failure).toBe(outcome);
  expect(isAlive(judged)).toBe(alive);
});
