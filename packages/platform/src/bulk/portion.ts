import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import type { OrderDeps, SiteSignal } from '../channels/index.ts';
import { type Audience, audienceOf, listAudience, stillIn } from '../segments/audience/index.ts';
import type { BulkAction, OfferDoes, PlayerState } from './action.ts';
import { type ContactDeps, ruleContacts } from './contact.ts';
import { type Effected, ended, makeOffer, orFailed } from './effect.ts';
import { sendMessages } from './messages.ts';
import * as store from './store.ts';
import { withdrawPortion } from './withdraw.ts';

/**
 * The number of players per transaction. A transaction takes a few hundred milliseconds, and after a kill at most one
 * transaction is repeated.
 */
const portionPlayers = 50;
/** The number of members that are listed in one transaction. */
const gatheredAtOnce = 20_000;
/** An action that is late catches up by at most this much, so that a pause does not cause a burst. */
const catchUpMicros = 1_000_000;
/** How long an action that cannot continue waits before it checks again. */
const waitMicros = 5_000_000;

export interface PortionDeps extends OrderDeps, ContactDeps {
  brands: { byId(brandId: number): Brand | undefined };
}

export interface Portion {
  gathered: number;
  handled: number;
  /** Players of a cancelled action whose messages were checked. */
  withdrawn: number;
  signals: SiteSignal[];
}

/**
 * Processes the next portion of an action, in the caller's transaction: lists members, gives the next players their turn, or ends
 * messages of a cancelled action. It locks the row of the action's progress, so one process works on an action at a time, and the pace is that of
 * all processes together.
 *
 * @returns null if it is not the action's turn, or if another process is working on the action
 */
export async function workPortion(
  tx: PoolClient,
  deps: PortionDeps,
  actionId: number,
  at: Micros,
): Promise<Portion | null> {
  const progress = await store.lockProgress(tx, actionId, { skip: true });
  if (progress === undefined || progress.next_at > at) return null;
  const isCancelled = progress.state === 'cancelled' && progress.ended_up_to !== null;
  if (progress.state !== 'gathering' && progress.state !== 'running' && !isCancelled) return null;
  const action = await store.readAction(tx, actionId);
  const nothing: Portion = { gathered: 0, handled: 0, withdrawn: 0, signals: [] };
  if (action !== undefined && isCancelled)
    return { ...nothing, withdrawn: await withdrawPortion(tx, { progress, action }, at) };
  const brand = deps.brands.byId(progress.brand_id);
  const audience = await audienceOf(tx, progress.segment_id);
  if (action === undefined || brand === undefined || audience === undefined) {
    await store.saveProgress(tx, { ...progress, waits_for: 'segment', next_at: at + waitMicros });
    return nothing;
  }
  const moving = { ...progress, waits_for: null };
  if (moving.state === 'gathering') return { ...nothing, gathered: await gather(tx, moving, audience, at) };
  return { ...nothing, ...(await handle(tx, deps, { progress: moving, action, brand, audience }, at)) };
}

async function gather(tx: PoolClient, progress: store.Progress, audience: Audience, at: Micros): Promise<number> {
  const { action_id, after_id, players } = progress;
  const members = await listAudience(tx, audience, { after: after_id, limit: gatheredAtOnce });
  const listed = await store.insertListed(tx, action_id, members, at);
  await store.count(tx, action_id, listed === 0 ? [] : [{ state: 'listed', reason: '', players: listed }]);
  await store.saveProgress(tx, {
    ...progress,
    after_id: members.at(-1) ?? after_id,
    players: players + listed,
    state: members.length < gatheredAtOnce ? 'running' : 'gathering',
  });
  return listed;
}

interface Running {
  progress: store.Progress;
  action: BulkAction;
  brand: Brand;
  audience: Audience;
}

async function handle(
  tx: PoolClient,
  deps: PortionDeps,
  { progress, action, brand, audience }: Running,
  at: Micros,
): Promise<Pick<Portion, 'handled' | 'signals'>> {
  const { action_id } = action;
  const due = await store.takeDue(tx, action_id, at, Math.min(portionPlayers, action.per_second));
  const members = await stillIn(
    tx,
    audience,
    due.map(({ player_id }) => player_id),
  );
  const left = due.filter(({ player_id }) => !members.has(player_id));
  const here = due.filter(({ player_id }) => members.has(player_id));
  const made: Effected[] = left.map(({ player_id }) => ({
    outcome: ended(player_id, 'skipped', 'left_segment'),
    signals: [],
  }));
  const { does } = action;
  const ruled = await ruleContacts(tx, deps, { brand, action }, here, at);
  made.push(...ruled.outcomes.map((outcome) => ({ outcome, signals: [] })));
  if (does.kind === 'message') made.push(...(await sendMessages(tx, deps, { brand, action }, does, ruled.players)));
  else for (const player of ruled.players) made.push(await offerTo(tx, deps, { action, player, at }, does));
  const outcomes = made.map(({ outcome }) => outcome);
  const hasOutcome = new Set(outcomes.map(({ player_id }) => player_id));
  if (outcomes.length > 0) {
    await store.saveOutcomes(tx, action_id, outcomes, at);
    await store.count(tx, action_id, [
      ...due
        .filter(({ player_id }) => hasOutcome.has(player_id))
        .map((player) => ({ ...counted(player), players: -1 })),
      ...outcomes.map((outcome) => ({ ...counted(outcome), players: 1 })),
    ]);
  }
  const paced =
    Math.max(progress.next_at, at - catchUpMicros) + Math.ceil((outcomes.length * 1_000_000) / action.per_second);
  const turn = await store.nextTurn(tx, action_id);
  if (turn === null) {
    await store.countErased(tx, action_id);
    await store.saveProgress(tx, { ...progress, state: 'done', finished_at: at });
  } else await store.saveProgress(tx, { ...progress, next_at: Math.max(paced, turn) });
  return { handled: outcomes.length, signals: made.flatMap(({ signals }) => signals) };
}

/** The text of a failure may contain data of the player, so it stays in the player's own row. */
function counted({ state, reason }: { state: PlayerState; reason: string }): { state: PlayerState; reason: string } {
  return { state, reason: state === 'failed' ? '' : reason };
}

async function offerTo(
  tx: PoolClient,
  deps: PortionDeps,
  of: { action: BulkAction; player: store.DuePlayer; at: Micros },
  does: OfferDoes,
): Promise<Effected> {
  const offered = await orFailed(tx, () => makeOffer(tx, deps, of, does));
  if ('made' in offered) return offered.made;
  return { outcome: ended(of.player.player_id, 'failed', offered.reason), signals: [] };
}
