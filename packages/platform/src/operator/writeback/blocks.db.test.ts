import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { isCurrent } from '../../../testing/operator/setup-sync.ts';
import { setupWrites, untilState, type WriteSetup } from '../../../testing/operator/writeback/setup-writes.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { listPlayerWriteBacks, setBlock } from './index.ts';

const { pool } = await setupDatabase();

function block({ brand, player_id, worker }: WriteSetup, active: boolean) {
  const { brand_id, operator } = brand;
  const key = { brand_id, player_id, type: 'Blocked', active, note: 'called in', source: 'staff' } as const;
  const write_back = operator?.write_blocks === true;
  return transaction(pool, (tx) => setBlock(tx, { ...key, at: systemClock(), write_back })).finally(worker.writer.wake);
}

async function blocked(sync: WriteSetup) {
  return (await sync.read(sync.player_id)).blocks.find(({ type }) => type === 'Blocked');
}

async function lookUp(sync: WriteSetup): Promise<void> {
  await sync.refresh(sync.player_id, ['blocks']);
  await sync.until(sync.player_id, isCurrent);
}

describe('an operator that does not receive blocks', () => {
  test('a block belongs to the platform: no look-up lifts it, only staff do', async () => {
    const sync = await setupWrites(pool);
    await block(sync, true);
    expect(await blocked(sync)).toMatchObject({ active: true, note: 'called in', source: 'staff' });
    await lookUp(sync);
    expect(await blocked(sync)).toMatchObject({ active: true, source: 'staff' });
    await untilState(sync, 'kept', 'Blocked');

    await block(sync, false);
    await untilState(sync, 'confirmed', 'Blocked');
    expect(await blocked(sync)).toMatchObject({ active: false, source: 'look_up' });
    expect(sync.operator.calls.list().filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test("removing it leaves the operator's own block in force", async () => {
    const sync = await setupWrites(pool);
    sync.operator.books.change('p-1', { blocks: [{ type: 'Blocked', active: true, note: 'chargeback' }] });
    await block(sync, true);
    await block(sync, false);
    expect(await blocked(sync)).toMatchObject({ active: true });
    await untilState(sync, 'overruled', 'Blocked');
    expect(await blocked(sync)).toMatchObject({ active: true, note: 'chargeback', source: 'look_up' });
  });
});

test('with the setting write_blocks a block is written and confirmed, and then the operator decides', async () => {
  const sync = await setupWrites(pool, { settings: { write_blocks: true } });
  await block(sync, true);
  expect(await blocked(sync)).toMatchObject({ active: true });
  await untilState(sync, 'confirmed', 'Blocked');
  const body = { blocks: [{ type: 'Blocked', active: true, note: 'called in' }] };
  expect(sync.operator.books.writeBacks).toMatchObject([{ record: 'blocks', body }]);

  sync.operator.books.change('p-1', { blocks: [{ type: 'Blocked', active: false, note: '' }] });
  await lookUp(sync);
  expect(await blocked(sync)).toMatchObject({ active: false });

  await block(sync, true);
  await untilState(sync, 'confirmed', 'Blocked');
  await block(sync, false);
  await untilState(sync, 'confirmed', 'Blocked');
  expect(await blocked(sync)).toMatchObject({ active: false });
  const states = (await listPlayerWriteBacks(pool, sync.player_id, { limit: 5 })).map(({ wanted, state }) => [
    wanted,
    state,
  ]);
  expect(states).toEqual([
    [false, 'confirmed'],
    [true, 'confirmed'],
    [true, 'confirmed'],
  ]);
});

test('a block that is being removed at the operator stays in force until the operator has removed it', async () => {
  const sync = await setupWrites(pool, { settings: { write_blocks: true } });
  await block(sync, true);
  await untilState(sync, 'confirmed', 'Blocked');
  sync.operator.dials.set('userblocks_write', { faults: [{ fault: 'status', status: 500, when: 'before_effect' }] });
  await block(sync, false);
  await lookUp(sync);
  expect(await blocked(sync)).toMatchObject({ active: true });
  await untilState(sync, 'pending', 'Blocked');
});
