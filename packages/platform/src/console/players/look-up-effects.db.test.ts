import type { Micros } from '@croupier/contracts';
import { beforeAll, expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { noteProtection } from '../../operator/protection/index.ts';

/*
 * Every event is received at noon, by the clock of the test. `after(ms)` is a time after that.
 */
const console = await setupConsole();
const { pool, brand } = console;

const after = (ms: number): Micros => noon + ms * 1_000;
const minute = 60_000;
const hour = 60 * minute;

const run = (text: string, ...values: unknown[]) => pool.query(text, values);

/** Publishes an event. @returns the id of its player */
async function publish(kind: 'blocks_update' | 'user_update' | 'payment', user_id: string): Promise<number> {
  const body = { user_id, timestamp: '2026-05-01T12:00:00Z' };
  await console.publish(kind, kind === 'payment' ? paymentBody({ ...body, payment_id: user_id }) : body);
  await console.derive();
  const { rows } = await run('select player_id from player where user_id = $1', user_id);
  return rows[0].player_id;
}

/** The effects of the only event of a player, in short. */
async function effectsOf(user_id: string): Promise<{ look_ups: string[]; shown: string[]; cut: boolean }> {
  const { items } = (await console.get(`/brands/malta/players/${user_id}/timeline?limit=50`)).body;
  const { position } = items.find(({ type }: { type: string }) => type === 'event');
  const { status, body } = await console.get(`/brands/malta/feed/${position}/effects`);
  expect(status).toBe(200);
  const shown = body.items.map((item: Record<string, unknown>) => {
    const { type, code, kind, look_up, bonus_code, changed, reason, state, at } = item;
    return [type, code ?? kind ?? look_up ?? bonus_code ?? changed ?? reason ?? state, at].join(' ');
  });
  return { look_ups: body.look_ups, shown, cut: body.cut };
}

/** A look-up of the blocks whose answer excludes the player. */
async function lookUpBlocks(playerId: number, { at, receivedAt }: { at: Micros; receivedAt?: Micros }): Promise<void> {
  await run(
    `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
     values ($1, 'excluded', 'Excluded', 'Excluded', true, 'look_up', $2)`,
    playerId,
    timestamptzText(at),
  );
  await run(
    `update player_sync set done = requested, as_of = $2 where player_id = $1 and look_up = 'blocks'`,
    playerId,
    timestamptzText(at),
  );
  const received = new Map<number, Micros>(receivedAt === undefined ? [] : [[playerId, receivedAt]]);
  await transaction(pool, (tx) => noteProtection(tx, [playerId], { source: 'look_up', at }, { receivedAt: received }));
}

const insertTransition = (playerId: number, code: string, cause: { at: Micros; [field: string]: unknown }) =>
  run(
    `insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
     select $1, $2, segment_id, 1, 'entered', $3, $4, false from segment where code = $5 returning transition_id`,
    brand.brand_id,
    playerId,
    timestamptzText(cause.at),
    cause,
    code,
  );

const insertRun = (playerId: number, cause: object, state: string, reason: string | null, movedAt: Micros) =>
  run(
    `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, reason, position, entered_at, moved_at)
     select $1, $2, campaign_id, 1, $3::jsonb::text, $3::jsonb, $4, $5, '{}', $6, $6 from campaign`,
    playerId,
    brand.brand_id,
    JSON.stringify(cause),
    state,
    reason,
    timestamptzText(movedAt),
  );

beforeAll(async () => {
  await run(
    `insert into campaign (brand_id, code, name, state, created_at, created_by) values ($1, 'back', 'Back', 'live', now(), 'a test')`,
    brand.brand_id,
  );
  for (const code of ['reachable', 'blocked', 'of-staff', 'later'])
    await run(
      `insert into segment (brand_id, code, name, created_at, created_by) values ($1, $2, $2, now(), 'a test')`,
      brand.brand_id,
      code,
    );
});

test('an exclusion shows its look-up, the change of protection, the segments, and what ended because of it', async () => {
  const ann = await publish('blocks_update', 'ann');
  const at = after(1_000);
  await lookUpBlocks(ann, { at, receivedAt: noon });
  const { rows } = await insertTransition(ann, 'reachable', { type: 'protection', source: 'look_up', at });
  const id = String(rows[0].transition_id);
  await insertTransition(ann, 'blocked', { type: 'record', source: 'look_up', at });
  await insertTransition(ann, 'of-staff', { type: 'record', source: 'staff', at });
  await insertTransition(ann, 'later', { type: 'record', source: 'look_up', at: after(11 * minute) });
  await insertRun(ann, { type: 'segment', id, code: 'reachable', at }, 'exited', 'excluded', after(2_000));
  await insertRun(ann, { type: 'api', key: 'a', at: after(-hour) }, 'exited', 'excluded', after(3_000));
  await insertRun(ann, { type: 'api', key: 'b', at: after(-hour) }, 'exited', 'exit_when', after(3_000));
  await insertRun(ann, { type: 'api', key: 'c', at: after(-hour) }, 'exited', 'excluded', after(-minute));
  await run(
    `insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, offered, created_at, created_by, state, reason, state_since)
     values (gen_random_uuid(), $1, $2, 'bonus', 'WELCOME', false, $3, 'campaign back', 'rejected', 'excluded', $3)`,
    brand.brand_id,
    ann,
    timestamptzText(after(4_000)),
  );
  const { look_ups, shown } = await effectsOf('ann');
  expect(look_ups).toEqual(['blocks']);
  const first = timestamptzText(at);
  expect(shown).toEqual([
    `refresh blocks ${first}`,
    `transition excluded ${first}`,
    `segment reachable ${first}`,
    `segment blocked ${first}`,
    // The run that the segment started: its entry and its end.
    `run entered ${timestamptzText(after(2_000))}`,
    `run excluded ${timestamptzText(after(2_000))}`,
    // A run that was open before.
    `run excluded ${timestamptzText(after(3_000))}`,
    `bonus_intent WELCOME ${timestamptzText(after(4_000))}`,
  ]);
});

test('a change of protection is found by the stored time of its update, even hours later; a change by a later update is not', async () => {
  const ben = await publish('user_update', 'ben');
  const late = after(3 * hour);
  await lookUpBlocks(ben, { at: late, receivedAt: noon });
  await insertTransition(ben, 'reachable', { type: 'protection', source: 'look_up', at: late });
  const own = await effectsOf('ben');
  expect(own.look_ups).toEqual(['details', 'consents', 'blocks']);
  expect(own.shown).toEqual([
    `refresh blocks ${timestamptzText(late)}`,
    `transition excluded ${timestamptzText(late)}`,
    `segment reachable ${timestamptzText(late)}`,
  ]);

  const cleo = await publish('blocks_update', 'cleo');
  const at = after(3 * minute);
  await lookUpBlocks(cleo, { at, receivedAt: after(2 * minute) });
  await insertTransition(cleo, 'reachable', { type: 'protection', source: 'look_up', at });
  // Only the look-up itself is found by its time.
  expect((await effectsOf('cleo')).shown).toEqual([`refresh blocks ${timestamptzText(at)}`]);
});

test('a look-up that confirms a change of the platform shows the change', async () => {
  const dora = await publish('blocks_update', 'dora');
  await run(
    `insert into write_back_item (change_id, brand_id, player_id, record, type_key, type, wanted, source, changed_at, state, said, said_at)
     values (1, $1, $2, 'blocks', 'excluded', 'Excluded', true, 'staff', $3, 'confirmed', true, $4),
            (2, $1, $2, 'consents', 'email', 'Email', true, 'staff', $3, 'confirmed', true, $4)`,
    brand.brand_id,
    dora,
    timestamptzText(after(-hour)),
    timestamptzText(after(1_000)),
  );
  expect((await effectsOf('dora')).shown).toEqual([`change Excluded ${timestamptzText(after(1_000))}`]);
});

test('a look-up that confirms an old change shows it, and the effects are not cut, however many changes were answered before the event', async () => {
  const fred = await publish('blocks_update', 'fred');
  const insert = (type: string, { number, changedAt, saidAt }: { number: number; changedAt: Micros; saidAt: Micros }) =>
    run(
      `insert into write_back_item (change_id, brand_id, player_id, record, type_key, type, wanted, source, changed_at, latest, state, said, said_at)
       select n, $1, $2, 'blocks', $3, $3, true, 'staff', $4, false, 'confirmed', true, $5 from generate_series(1, $6) n`,
      brand.brand_id,
      fred,
      type,
      timestamptzText(changedAt),
      timestamptzText(saidAt),
      number,
    );
  await insert('Excluded', { number: 1, changedAt: after(-3 * hour), saidAt: after(1_000) });
  await insert('Blocked', { number: 501, changedAt: after(-2 * hour), saidAt: after(-hour) });
  const { look_ups, shown, cut } = await effectsOf('fred');
  expect({ look_ups, shown, cut }).toEqual({
    look_ups: ['blocks'],
    shown: [`change Excluded ${timestamptzText(after(1_000))}`],
    cut: false,
  });
});

test('an event is not cut because of the segments that later look-ups changed', async () => {
  const gina = await publish('blocks_update', 'gina');
  await insertTransition(gina, 'reachable', { type: 'record', source: 'look_up', at: after(1_000) });
  const { position } = (await console.get('/brands/malta/feed?user_id=gina&limit=1')).body.items[0];
  await run(
    `insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
     select $1, $2, segment_id, 1, 'entered', $3, $4, false from segment, generate_series(1, 501) where code = 'later'`,
    brand.brand_id,
    gina,
    timestamptzText(after(hour)),
    { type: 'record', source: 'look_up', at: after(hour) },
  );
  const { items, cut } = (await console.get(`/brands/malta/feed/${position}/effects`)).body;
  expect({ items, cut }).toMatchObject({ items: [{ type: 'segment', code: 'reachable' }], cut: false });
});

test('an event that requests no look-up has no effects of look-ups', async () => {
  const emil = await publish('payment', 'emil');
  await lookUpBlocks(emil, { at: after(1_000) });
  await insertTransition(emil, 'reachable', { type: 'protection', source: 'look_up', at: after(1_000) });
  expect(await effectsOf('emil')).toEqual({ look_ups: [], shown: [], cut: false });
});
