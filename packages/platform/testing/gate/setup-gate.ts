import type { Pool } from 'pg';
import type { Brand } from '../../src/brands/index.ts';
import { timestamptzText, transaction } from '../../src/database/index.ts';
import { type ContactRequest, type Decision, Gate } from '../../src/gate/index.ts';
import { createBrand } from '../brand.ts';
import { noon, type TestClock, testClock } from '../clock.ts';
import { insertPlayer } from '../operator/setup-sync.ts';

/** Setup for tests of this stage: a brand, its gate, a clock that only the test moves, and players whose facts are written directly to the tables. */
export interface GateSetup {
  brand: Brand;
  clock: TestClock;
  gate: Gate;
  /** A fully known player, as of now, who permits everything. @returns player_id */
  addPlayer(userId: string): Promise<number>;
  /** A player of whom nothing is known. @returns player_id */
  addStranger(userId: string): Promise<number>;
  request(playerId: number, more?: Partial<ContactRequest>): ContactRequest;
  ask(...requests: ContactRequest[]): Promise<Decision[]>;
}

export async function setupGate(pool: Pool): Promise<GateSetup> {
  const { brand } = await createBrand(pool);
  const clock = testClock(noon);
  const gate = new Gate({ clock: clock.now, brands: { byId: () => brand } });
  const { brand_id } = brand;
  let causes = 0;
  return {
    brand,
    clock,
    gate,
    async addPlayer(userId) {
      const playerId = await insertPlayer(pool, brand_id, userId);
      await makeKnown(pool, brand_id, [playerId], timestamptzText(clock.now()));
      return playerId;
    },
    addStranger: (userId) => insertPlayer(pool, brand_id, userId),
    request: (player_id, more = {}) => ({
      brand_id,
      player_id,
      channel: 'email',
      purpose: 'marketing',
      expires_at: null,
      cause: { kind: 'message', id: `cause ${++causes}` },
      ...more,
    }),
    ask: (...requests) => transaction(pool, (tx) => gate.mayContact(tx, requests)),
  };
}

/** Writes what three look-ups would write. @param at RFC 3339 */
export async function makeKnown(pool: Pool, brandId: number, playerIds: readonly number[], at: string): Promise<void> {
  await pool.query(
    `insert into player_profile (player_id, is_blocked, is_excluded, changed_at)
     select id, false, false, $2 from unnest($1::bigint[]) id`,
    [playerIds, at],
  );
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select id, lower(type), type, type, true, 'look_up', $2
       from unnest($1::bigint[]) id cross join unnest(array['Email', 'SMS']) type`,
    [playerIds, at],
  );
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, done, lane, as_of)
     select id, look_up, $3, 1, 0, $2
       from unnest($1::bigint[]) id cross join unnest(array['details', 'consents', 'blocks']) look_up`,
    [playerIds, at, brandId],
  );
}
