import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Rule } from '@croupier/rules';
import { afterAll, expect, test } from 'vitest';
import { paymentBody } from '../../testing/derive/stage.ts';
import { setupSegments } from '../../testing/segments/setup-segments.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'croupier-cli-'));
afterAll(() => rm(dataDir, { recursive: true }));
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const { url, pool, brand, publish, derive, segment, computer, members } = await setupSegments();

async function cli(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      CROUPIER_SECRET: 'a secret of 32 characters for tests',
    },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out: out.trim(), err: err.trim() };
}

test('verify reports differences and changes nothing, recompute corrects them', { timeout: 180_000 }, async () => {
  const depositors: Rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
  for (const user_id of ['ann', 'bob'])
    await publish({ kind: 'payment', body: paymentBody({ user_id, payment_id: user_id }) });
  await derive();
  await segment('depositors', depositors);
  const none = '1 segments, 0 differences, 0 not compared because they are about to be updated';
  expect(await cli('segment', 'verify')).toEqual({ code: 0, out: none, err: '' });

  await pool.query(`delete from segment_member where player_id = (select player_id from player where user_id = 'ann')`);
  const found = await cli('segment', 'verify', '--brand', brand.code, '--segment', 'depositors');
  expect(found.code).toBe(2);
  expect(found.out).toContain('1 segments, 1 differences');
  expect(found.out).toContain('"user_id":"ann","expected":"member"');
  expect(await members('depositors')).toEqual(['bob']);

  expect((await cli('segment', 'recompute', '--brand', brand.code, '--segment', 'depositors')).code).toBe(0);
  await computer.runOnce();
  expect(await members('depositors')).toEqual(['ann', 'bob']);
  expect((await cli('segment', 'verify')).out).toBe(none);

  const unknown = await cli('segment', 'recompute', '--brand', brand.code, '--segment', 'nothing');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('the segment nothing does not exist') });
  expect((await cli('segment', 'verify', '--brand', 'nowhere')).err).toContain('the brand nowhere does not exist');
});
