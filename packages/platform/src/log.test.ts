import { describe, expect, test } from 'vitest';
import { WordedError } from './language.ts';
import { createLog } from './log.ts';

function written(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog({ level: 'info', role: 'api', to: { write: (line: string) => lines.push(line) } }));
  return JSON.parse(lines.join(''));
}

describe('a log line', () => {
  test('is JSON with time, level and role', () => {
    expect(written((log) => log.info({ events: 3 }, 'committed'))).toMatchObject({
      level: 'info',
      role: 'api',
      pid: process.pid,
      events: 3,
      msg: 'committed',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test('shows no secret, on three levels of nesting', () => {
    const line = written((log) =>
      log.info({
        sid: 'hidden',
        headers: { authorization: 'hidden', 'x-api-key': 'hidden', 'content-type': 'application/json' },
        brand: { operator: { base_url: 'http://operator', auth: { value: 'hidden' } }, test_user: { sid: 'hidden' } },
      }),
    );
    expect(JSON.stringify(line)).not.toContain('hidden');
    expect(line).toMatchObject({
      headers: { 'content-type': 'application/json' },
      brand: { operator: { base_url: 'http://operator', auth: '[secret]' } },
    });
  });

  test('logs an error with its causes, without the row or the headers that it contains', () => {
    const database = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(jo@x.y) exists',
    });
    const line = written((log) => log.error({ err: new Error('not saved', { cause: database }) }, 'failed'));
    expect(line.err).toMatchObject({
      type: 'Error',
      message: 'not saved',
      cause: { message: 'duplicate key', code: '23505' },
    });
    expect(JSON.stringify(line)).not.toContain('jo@x.y');
  });

  test('has the stack of an unexpected error, but none of an error that says what to do', () => {
    const errOf = (err: Error) => written((log) => log.error({ err }, 'failed')).err;
    expect(errOf(new Error('a'))).toHaveProperty('stack');
    expect(errOf(new WordedError({ en: 'Correct CROUPIER_SECRET.', de: '' }))).toEqual({
      type: 'Error',
      message: 'Correct CROUPIER_SECRET.',
    });
  });
});
