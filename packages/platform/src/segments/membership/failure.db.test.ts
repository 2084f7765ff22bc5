import type { Rule, RuleNode } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { lockVersion } from './active/store.ts';
import { DueSweeper, publish as publishDraft, remove, SegmentLane } from './index.ts';
import { lockComputation } from './settle/computation-store.ts';

/*
 * If a segment cannot be evaluated, only this segment fails, with a reason, and all others continue. The error may be
 * found while the segment is computed, when an event touches a player, or when many players are due at the same time.
 */
const stage = await setupSegments();
const { pool, brands, rules, leases, clock, publish, derive, follow, segment, draft, members, computer, sweeper } =
  stage;
const by = () => ({ at: clock.now(), actor: 'a test' });
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const depositors = rule({ field: 'trait.deposit_count', operator: '>=', value: 1 });
const vanished = { combinator: 'and', rules: [{ field: 'profile.segmentation.gone', operator: '=', value: 'x' }] };

async function deposit(user_id: string) {
  await publish({ kind: 'payment', body: paymentBody({ user_id, payment_id: user_id }) });
  await derive();
}

async function versionOf({ segment_id }: { segment_id: number }) {
  const { rows } = await pool.query<{ version_id: number; state: string; reason: string | null }>(
    'select version_id, state, reason from segment_version where segment_id = $1 order by version_id desc limit 1',
    [segment_id],
  );
  if (rows[0] === undefined) throw new Error('there is no version');
  return rows[0];
}

/** Makes the next statement that changes members or due times fail like a deadlock with another transaction. */
async function deadlockOnce(during: () => Promise<void>) {
  await pool.query(
    `create sequence refusals;
     create function refuse() returns trigger language plpgsql as $$ begin
       if nextval('refusals') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
       return coalesce(new, old);
     end $$;
     create trigger refuse before insert or delete on segment_member for each row execute function refuse()`,
  );
  await during().finally(() =>
    pool.query('drop trigger refuse on segment_member; drop function refuse(); drop sequence refusals'),
  );
}

/** Makes statements that write members of the version fail like one that takes too long. */
async function timeOut(version_id: number, during: () => Promise<void>) {
  await pool.query(
    `create function too_slow() returns trigger language plpgsql as $$ begin
       if new.version_id = ${version_id} then
         raise exception 'canceling statement due to statement timeout' using errcode = '57014';
       end if;
       return new;
     end $$;
     create trigger too_slow before insert on segment_member for each row execute function too_slow()`,
  );
  await during().finally(() => pool.query('drop trigger too_slow on segment_member; drop function too_slow()'));
}

test('a segment whose computation takes too long fails; the next one is computed', async () => {
  await deposit('ann');
  const slow = await draft('slow', { rule: depositors });
  await transaction(pool, (tx) => publishDraft(tx, rules, slow, by()));
  const next = await draft('next', { rule: depositors });
  await transaction(pool, (tx) => publishDraft(tx, rules, next, by()));
  const { version_id } = await versionOf(slow);
  await timeOut(version_id, async () => void (await computer.runOnce()));
  await follow();
  expect(await versionOf(slow)).toMatchObject({ state: 'failed', reason: expect.stringContaining('timeout') });
  expect(await members('next')).toEqual(['ann']);
});

test('a segment whose field was removed fails when an event touches a player; the others process the event', async () => {
  const broken = await segment('vanished', depositors);
  await pool.query('update segment_version set rule = $2 where segment_id = $1', [broken.segment_id, vanished]);
  // This creates a new lane, because a worker reads the rules when it starts.
  const lane = new SegmentLane({ pool, brands, rules, leases, clock: clock.now, log: testLog, onMass: sweeper.want });
  await deposit('bob');
  await lane.runOnce();
  expect(await members('next')).toEqual(['ann', 'bob']);
  expect(await versionOf(broken)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('profile.segmentation.gone'),
  });
});

test('a segment that cannot be swept fails; the next one is swept', async () => {
  const recent = rule({ field: 'trait.deposit_last_at', operator: 'inLast', value: 'P1D' });
  const broken = await segment('broken', recent);
  const whole = await segment('whole', recent);
  expect(await members('whole')).toEqual(['ann', 'bob']);
  clock.advance(2 * 86_400_000_000);
  const ids = [(await versionOf(broken)).version_id, (await versionOf(whole)).version_id];
  await pool.query('update segment_due set due_at = $2 where version_id = any($1)', [
    ids,
    timestamptzText(clock.now()),
  ]);
  await pool.query('update segment_version set rule = $2 where segment_id = $1', [broken.segment_id, vanished]);
  const own = new DueSweeper({ pool, brands, rules, clock: clock.now, log: testLog });
  own.want(ids);
  await own.runOnce();
  expect(await versionOf(broken)).toMatchObject({ state: 'failed' });
  expect(await members('whole')).toEqual([]);
});

test('a computation and a sweep that lose a deadlock are repeated, and the segment does not fail', async () => {
  const recent = rule({ field: 'trait.deposit_last_at', operator: 'inLast', value: 'P1D' });
  const timestamp = timestamptzText(clock.now() - 60_000_000);
  await publish({ kind: 'payment', body: paymentBody({ user_id: 'eve', payment_id: 'eve', timestamp }) });
  await derive();
  const unlucky = await draft('unlucky', { rule: recent });
  await transaction(pool, (tx) => publishDraft(tx, rules, unlucky, by()));
  await deadlockOnce(async () => {
    await expect(computer.runOnce()).rejects.toThrow('deadlock');
    await computer.runOnce();
  });
  await follow();
  expect(await versionOf(unlucky)).toMatchObject({ state: 'in_force', reason: null });
  const { version_id } = await versionOf(unlucky);
  expect(await members('unlucky')).toEqual(['eve']);
  clock.advance(2 * 86_400_000_000);
  const own = new DueSweeper({ pool, brands, rules, clock: clock.now, log: testLog });
  own.want([version_id]);
  await deadlockOnce(async () => {
    await expect(own.runOnce()).rejects.toThrow('deadlock');
    await own.runOnce();
  });
  expect(await versionOf(unlucky)).toMatchObject({ state: 'in_force', reason: null });
  expect(await members('unlucky')).toEqual([]);
});

test('a deletion waits for a portion of the computation, without a deadlock', async () => {
  const deleted = await draft('deleted', { rule: depositors });
  await transaction(pool, (tx) => publishDraft(tx, rules, deleted, by()));
  const { version_id } = await versionOf(deleted);
  const portion = await pool.connect();
  try {
    await portion.query('begin');
    expect(await lockComputation(portion, version_id)).toMatchObject({ version_id });
    const deletion = transaction(pool, (tx) => remove(tx, deleted));
    await expect.poll(waiting).toBe(1);
    await lockVersion(portion, version_id);
    await portion.query('commit');
    await deletion;
  } finally {
    portion.release();
  }
});

/** The number of connections that wait for a lock. */
async function waiting(): Promise<number | null> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rowCount;
}
