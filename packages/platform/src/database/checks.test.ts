import { describe, expect, test } from 'vitest';
import { type DatabaseFacts, judgeDatabase } from './checks.ts';

const good: DatabaseFacts = {
  server_version_num: 180_004,
  server_encoding: 'UTF8',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  recovery: 'none',
  replayed: null,
};

describe('a database', () => {
  test('with everything in order is accepted without messages', () => {
    expect(judgeDatabase(good)).toEqual({ refusals: [], warnings: [] });
  });

  test.each<[Partial<DatabaseFacts>, RegExp]>([
    [{ server_version_num: 140_011 }, /PostgreSQL 14 is too old/],
    [{ server_encoding: 'SQL_ASCII' }, /server_encoding is SQL_ASCII/],
    [{ recovery: 'standby' }, /read-only standby: use the address of the primary/],
    [{ recovery: 'paused' }, /paused: to end it, run `select pg_wal_replay_resume\(\)`/],
    [{ recovery: 'replaying' }, /stopped making progress/],
  ])('with %o is refused', (change, reason) => {
    expect(judgeDatabase({ ...good, ...change })).toEqual({ refusals: [expect.stringMatching(reason)], warnings: [] });
  });

  test.each<[Partial<DatabaseFacts>, RegExp]>([
    [{ server_version_num: 190_000 }, /newer/],
    [{ fsync: 'off' }, /fsync is off/],
    [{ full_page_writes: 'off' }, /full_page_writes is off/],
    [{ synchronous_commit: 'off' }, /synchronous_commit is off/],
  ])('with %o is accepted with a warning', (change, warning) => {
    expect(judgeDatabase({ ...good, ...change })).toEqual({ refusals: [], warnings: [expect.stringMatching(warning)] });
  });
});
