import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { loginTotals } from '../logins/index.ts';
import { paymentTotals, readReports } from '../payments/index.ts';
import { readActivity } from '../players/index.ts';
import { readRegistration } from '../registrations/index.ts';
import { readTotals, usualWindows, type Window } from '../totals/index.ts';
import { traitCatalogue } from './catalogue.ts';
import type { PlayerFacts, TraitValue, Unit } from './trait.ts';

export interface TraitReading {
  value: TraitValue;
  unit: Unit;
  /** The moment for which the value holds: now, or the time of the report that it comes from. */
  as_of: Micros;
}

/**
 * All traits of one player, with the given windows, by name: `deposit_count`, `deposit_count_24h`, `deposit_count_7d`.
 *
 * Windows are computed as of `now`, so they expire by themselves. The reading is not one snapshot: a batch may commit
 * between two of its statements.
 */
export async function readTraits(
  db: Pool | ClientBase,
  player: { player_id: number; time_zone: string },
  now: Micros,
  windows: readonly Window[] = usualWindows,
): Promise<Record<string, TraitReading>> {
  const totals = {
    payment: await readTotals(db, paymentTotals.spec, player, now, windows),
    login: await readTotals(db, loginTotals.spec, player, now, windows),
  };
  const facts = await readFacts(db, player.player_id);
  const readings: Record<string, TraitReading> = {};
  for (const trait of traitCatalogue) {
    const { name, unit } = trait;
    if (trait.from === 'facts') {
      readings[name] = { unit, as_of: now, ...trait.value(facts) };
      continue;
    }
    const { lifetime, windows: byWindow } = totals[trait.from];
    readings[name] = { value: trait.value(lifetime), unit, as_of: now };
    if (!trait.windows) continue;
    for (const [window, measures] of byWindow) {
      readings[`${name}_${window}`] = { value: trait.value(measures), unit, as_of: now };
    }
  }
  return readings;
}

async function readFacts(db: Pool | ClientBase, playerId: number): Promise<PlayerFacts> {
  const registration = await readRegistration(db, playerId);
  const activity = await readActivity(db, playerId);
  const reports = await readReports(db, playerId);
  return {
    registered_at: registration?.at ?? null,
    first_event_at: activity?.first_event_at ?? null,
    last_event_at: activity?.last_event_at ?? null,
    reports: new Map(reports.map(({ name, value, at }) => [name, { value, at }])),
  };
}
