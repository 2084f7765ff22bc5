import { eventKindsOf, rulesOf } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Vault } from '../../brands/index.ts';
import { eventName } from '../../campaigns/index.ts';
import type { BrandSetup } from '../brand-setup.ts';
import type { CopiedPlayer } from '../copied-player.ts';
import { nextMomentOf } from '../next-moment.ts';
import { answerLookUps, insertPlayer, setPlayer } from '../player.ts';
import { rolledBack } from '../rolled-back.ts';
import type { PastEvent } from '../scenario.ts';
import { ScenarioError } from '../scenario-error.ts';
import { createStages } from '../stages.ts';
import type { TimelineEntry } from '../timeline.ts';
import { TimelineReader } from '../timeline-reader.ts';

export interface Replay {
  setup: BrandSetup;
  player: CopiedPlayer;
  /** When the campaign is published. */
  from: Micros;
  until: Micros;
  /** Ends the replay, with an error. */
  signal?: AbortSignal | undefined;
}

/** Maximum number of times at which something happens to one player. */
const mostMoments = 20_000;

/**
 * What a campaign would have done with one player between two times: replays the player's events through the platform's stages,
 * with a clock set to the time at which each was received. The current details, consents, blocks and tags apply at all times.
 */
export async function replay(
  { pool, vault, log, signal }: { pool: Pool; vault: Vault; log: Logger; signal: AbortSignal },
  { setup, player, from, until }: Replay,
): Promise<TimelineEntry[]> {
  return rolledBack(
    pool,
    async (inside) => {
      const clock = { at: from };
      const stages = await createStages({ pool: inside, vault, log, clock: () => clock.at }, setup.brand);
      const { past, user_id, ...state } = player;
      const { brand } = stages;
      const playerId = await insertPlayer(inside, brand, user_id, from);
      await setPlayer(inside, brand, playerId, state, from);
      const events = past.toSorted((a, b) => a.received_at - b.received_at);
      const begin = events.findIndex(({ received_at }) => received_at > from);
      const waiting = begin === -1 ? [] : events.slice(begin);
      await stages.derivePast(user_id, begin === -1 ? events : events.slice(0, begin));
      for (const template of setup.templates) await stages.addTemplate(template);
      for (const segment of setup.segments) await stages.addSegment(segment);
      for (const campaign of setup.campaigns) await stages.publish(campaign, { movesRuns: false });
      const reader = new TimelineReader({ pool: inside, playerId });
      const came: TimelineEntry[] = [];
      const matters = mattersTo(setup);
      for (let count = 0; ; count++) {
        if (count === mostMoments) throw new ScenarioError(`more than ${mostMoments} moments of one player`);
        stages.tell(user_id, waiting.splice(0, countUpTo(waiting, clock.at)));
        if (state.known !== false) await answerLookUps(inside, brand, playerId, clock.at);
        await stages.follow();
        came.push(...(await reader.next(clock.at, brand.brand_id)));
        if (clock.at >= until) return came.filter((entry) => !reader.superseded.has(entry));
        const event = waiting.find(matters)?.received_at ?? until;
        clock.at = await nextMomentOf(inside, brand, playerId, clock.at, Math.min(event, until));
      }
    },
    signal,
  );
}

/**
 * Whether an event can move a run or a segment. All others are derived together with the next such event, because nothing reads
 * their facts before.
 */
function mattersTo({ campaigns, segments }: BrandSetup): (event: PastEvent) => boolean {
  const names = new Set(campaigns.flatMap(eventKindsOf));
  const isAll = segments.length > 0 || campaigns.some((campaign) => rulesOf(campaign, 'waits').length > 0);
  return ({ kind }) => isAll || names.has(eventName(kind));
}

function countUpTo(events: readonly PastEvent[], at: Micros): number {
  const first = events.findIndex(({ received_at }) => received_at > at);
  return first === -1 ? events.length : first;
}
