import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { loginOf } from './login.ts';
import type { Traffic } from './traffic.ts';

/** Every login causes three look-ups (docs/reference/interface.md, Events). */
export const lookUpsOfLogin = 3;

/**
 * Makes the database record when each look-up of a brand was answered and written. It uses its own clock, which is the clock of this
 * machine. If this process polled the database instead, each time would have an error of 10 ms.
 */
export async function noteLookUps(pool: Pool, brandId: number): Promise<void> {
  await pool.query(`
    create unlogged table noted_look_up (player_id bigint not null, at timestamptz not null);
    create function note_look_up() returns trigger language plpgsql as $$
      begin insert into noted_look_up values (new.player_id, clock_timestamp()); return null; end $$;
    create trigger note_look_up after update of done on player_sync for each row
      when (new.done is distinct from old.done and new.brand_id = ${brandId}) execute function note_look_up();`);
}

export interface LoginOptions {
  traffic: Traffic;
  /** Players are named by this prefix and a number that counts up from `from`. */
  prefix: string;
  from: number;
  rate: number;
  seconds: number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends logins of new players at a steady rate, whether or not they are processed. @returns when each was sent, in ms
 * since the epoch.
 */
export async function sendLogins(options: LoginOptions): Promise<Map<string, number>> {
  const { traffic, prefix, from, rate, seconds, signal } = options;
  const sent = new Map<string, number>();
  const publishing: Promise<void>[] = [];
  const first = performance.now();
  for (let n = 0; n < rate * seconds; n++) {
    await delay(Math.max(0, first + (n * 1000) / rate - performance.now()), undefined, { signal });
    const userId = `${prefix}${from + n}`;
    sent.set(userId, performance.timeOrigin + performance.now());
    publishing.push(traffic.publish(loginOf(userId)));
  }
  await Promise.all(publishing);
  return sent;
}

/** The time from sending the login until each of its look-ups was written, in ms, shortest first. */
export async function lookUpTimes(pool: Pool, sent: ReadonlyMap<string, number>): Promise<number[]> {
  const { rows } = await pool.query<{ user_id: string; at_ms: number }>(
    `select p.user_id, (extract(epoch from n.at) * 1000)::float8 as at_ms
       from player p join noted_look_up n using (player_id) where p.user_id = any($1)`,
    [[...sent.keys()]],
  );
  return rows.map(({ user_id, at_ms }) => at_ms - (sent.get(user_id) ?? Number.NaN)).sort((a, b) => a - b);
}
