import { type Input, noEarlierRuns, rulesOf } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Brand, BrandRegistry } from '../../brands/index.ts';
import { timestamptzText } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';
import { audienceNamed, listAudience } from '../../segments/audience/index.ts';
import { loadWholeViews, type RuleReading } from '../../segments/membership/index.ts';
import { zoneOf } from '../contact/rules.ts';
import { type RunnableVersion, Versions } from '../documents/active-store.ts';
import type { RunCause } from '../news/news.ts';
import { contextOf } from '../runs/context.ts';
import { drive } from '../runs/drive.ts';
import { entryOf, type Refusal, refusalOf } from '../runs/entries.ts';
import type { Reading } from '../runs/reading.ts';
import * as store from '../runs/store.ts';

/** Maximum number of times at which the clock moves a tried run. */
const mostMoments = 100;

export interface TrialDeps {
  pool: Pool;
  brands: BrandRegistry;
  rules: RuleReading;
}

export interface Trial {
  brand: Brand;
  /** Published or not. */
  version: RunnableVersion;
  /** Percentage of the players who may enter. */
  share: number;
  player_id: number;
  cause: RunCause;
  /** The clock of the trial: it starts at `at`, and ends at the last time that moved the run. */
  clock: { at: Micros };
  until: Micros;
  /** Called each time the run moves, with the state of the run. */
  onMoved(runId: number): Promise<void>;
}

/**
 * Enters a player into a campaign and moves the run through its waits, as if nothing else happened. It uses the functions that move
 * live runs. The operator's current answers apply at all times.
 *
 * @param tx is rolled back by the caller
 * @returns why the player does not enter; null if the player entered
 */
export async function tryRun(tx: PoolClient, deps: TrialDeps, trial: Trial): Promise<Refusal | null> {
  const { brand, version, player_id, clock, until } = trial;
  const { settings } = brand;
  const rules = await deps.rules.of(brand);
  const player = (await store.readPlayers(tx, [player_id])).get(player_id);
  if (player === undefined) throw new Error(`the player ${player_id} does not exist`);
  const asked = { players: [player_id], rules: rulesOf(version.document) };
  const look = async () => {
    const reading: Reading = { at: clock.at, zone: settings.time_zone, catalog: rules.catalog };
    const view = (await loadWholeViews(tx, rules, { ...asked, at: clock.at })).get(player_id);
    if (view === undefined) throw new Error(`player ${player_id} cannot be read`);
    return { reading, view };
  };
  const first = await look();
  const campaign = {
    version,
    active: { campaign_id: version.campaign_id, phase: 'live' as const, share: trial.share },
  };
  const [earlier = noEarlierRuns] = await store.readEarlierRuns(tx, [player_id], [version.campaign_id]);
  const entrant = { player, view: first.view, earlier };
  const refusal = refusalOf(campaign, entrant, first.reading) ?? (await segmentRefusal(tx, brand, version, player_id));
  const entry = entryOf(campaign, entrant, trial.cause, first.reading);
  if (refusal !== null || entry === null) return refusal;
  // The cause may already have started a real run.
  const [row] = await store.insertRuns(tx, [{ ...entry, cause_key: 'dry run' }]);
  if (row === undefined) throw new Error('the run was not created');
  const driving = {
    gate: new Gate({ clock: () => clock.at, brands: deps.brands }),
    clock: () => clock.at,
    // A preview must not contain a link that really unsubscribes.
    links: { link: () => 'https://crm.example/unsubscribe' },
    versions: withOwn(new Versions(deps), version),
  };
  const zone = zoneOf(player, settings);
  let input: Input = { kind: 'begin' };
  for (let count = 0; count < mostMoments; count++) {
    await holdAnswers(tx, player_id, clock.at);
    const { reading, view } = await look();
    const phase = 'live' as const;
    const context = contextOf(version, row, { view, user_id: player.user_id, zone, reading, phase });
    const hand = { row, version, brand, player, context, phase };
    const { moved, records } = await drive(tx, driving, [{ hand, input }], clock.at);
    await store.writeMoved(tx, moved);
    await store.insertStepRecords(tx, records);
    Object.assign(row, moved[0]);
    await trial.onMoved(row.run_id);
    const next = nextDue(row);
    if (next === null || next > until) break;
    clock.at = Math.max(clock.at, next);
    input = { kind: 'due' };
  }
  return null;
}

/** A schedule with a segment starts runs for its members only. */
async function segmentRefusal(
  tx: PoolClient,
  { brand_id }: Brand,
  { document: { entry } }: RunnableVersion,
  player_id: number,
): Promise<Refusal | null> {
  if (!('schedule' in entry) || entry.to === undefined) return null;
  const members = await audienceNamed(tx, brand_id, entry.to);
  const [next] = members === undefined ? [] : await listAudience(tx, members, { after: player_id - 1, limit: 1 });
  return next === player_id ? null : 'not_in_segment';
}

/**
 * The next time at which the run moves without an event. A run that is held for missing information stays held, because a
 * trial makes no look-ups.
 */
function nextDue({ state, due_at, position }: store.RunRow): Micros | null {
  if (state === 'waiting') return due_at;
  return state === 'held' && position.wait?.for !== 'gate' ? due_at : null;
}

function withOwn(versions: Versions, own: RunnableVersion): Pick<Versions, 'load'> {
  return {
    load: async (ids) => {
      const known = await versions.load([...ids].filter((id) => id !== own.version_id));
      return new Map([...known, [own.version_id, own]]);
    },
  };
}

/** Treats the operator's last answers as if they had arrived at this time. Values that were never looked up stay unknown. */
async function holdAnswers(tx: PoolClient, playerId: number, at: Micros): Promise<void> {
  await tx.query(
    'update player_sync set done = requested, as_of = $2, due_at = null where player_id = $1 and as_of is not null',
    [playerId, timestamptzText(at)],
  );
}
