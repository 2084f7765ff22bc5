import { decideReentry, type EarlierRuns, isInShare, matchesEvent, newRun } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import { type PlayerView, ruleHolds } from '@croupier/rules';
import type { ActiveRow, RunnableVersion } from '../documents/active-store.ts';
import { type CampaignNews, causeKey, type RunCause } from '../news/news.ts';
import type { Reading } from './reading.ts';
import type { NewRun, RunPlayer } from './store.ts';

/** A campaign that players may enter, in its published version. */
export interface EnterableCampaign {
  active: Pick<ActiveRow, 'campaign_id' | 'phase' | 'share'>;
  version: RunnableVersion;
}

export interface Entrant {
  player: RunPlayer;
  view: PlayerView;
  /** The player's earlier runs of this campaign. */
  earlier: EarlierRuns;
}

/** Whether the campaign starts with news of this kind. Called before anything of the player is read. Pure. */
export function concerns({ active, version }: EnterableCampaign, news: CampaignNews, reading: Reading): boolean {
  const { entry } = version.document;
  // An API call was accepted while the campaign was live. If the campaign was paused or stopped since, the run shows what became of it.
  if (active.phase !== 'live' && news.type !== 'api') return false;
  switch (news.type) {
    case 'event':
      return (
        news.starts &&
        'event' in entry &&
        matchesEvent(entry, { id: news.id, kind: news.kind, at: news.at, row: news.row }, reading)
      );
    case 'segment':
      return 'segment' in entry && entry.segment === news.code && entry.on === news.transition;
    case 'api':
      return news.campaign_id === active.campaign_id;
    case 'changed':
    case 'protected':
      return false;
    default:
      return news satisfies never;
  }
}

/**
 * Whether the player enters for this cause. Pure: repeating it gives the same result, and the unique cause of a run makes a
 * repeat harmless.
 *
 * @returns the run, or null if the player is protected, outside the share or the audience, or the rule of re-entry refuses
 */
export function entryOf(
  campaign: EnterableCampaign,
  entrant: Entrant,
  cause: RunCause,
  reading: Reading,
): NewRun | null {
  return refusalOf(campaign, entrant, reading) === null ? runFor(campaign, entrant, cause, reading.at) : null;
}

/** `not_in_segment`: the player is not in the segment for which a schedule starts. */
export const refusals = ['excluded', 'blocked', 'share', 'reentry', 'audience', 'not_in_segment'] as const;
export type Refusal = (typeof refusals)[number];

/** Why the player does not enter now; null if the player enters. Pure. */
export function refusalOf(
  campaign: EnterableCampaign,
  { view, ...entrant }: Entrant,
  reading: Reading,
): Refusal | null {
  const { audience } = campaign.version.document;
  const refusal = refusalBefore(campaign, entrant, reading.at);
  if (refusal !== null) return refusal;
  return audience !== undefined && !ruleHolds(audience, view, reading) ? 'audience' : null;
}

/** The run of a player who is in the audience. Pure. @returns null if the player does not enter */
export function newRunFor(
  campaign: EnterableCampaign,
  entrant: Omit<Entrant, 'view'>,
  cause: RunCause,
  at: Micros,
): NewRun | null {
  return refusalBefore(campaign, entrant, at) === null ? runFor(campaign, entrant, cause, at) : null;
}

/** Why an entry is refused, apart from the audience. */
function refusalBefore(
  { active, version }: EnterableCampaign,
  { player, earlier }: Omit<Entrant, 'view'>,
  at: Micros,
): Refusal | null {
  const { document, code } = version;
  if (player.protection !== null) return player.protection;
  if (!isInShare(`${code} ${player.user_id}`, active.share)) return 'share';
  return decideReentry(document.reentry, { earlier, at }) ? null : 'reentry';
}

function runFor(
  { version }: EnterableCampaign,
  { player: { player_id } }: Pick<Entrant, 'player'>,
  cause: RunCause,
  at: Micros,
): NewRun {
  const { version_id, campaign_id, brand_id } = version;
  const cause_key = causeKey(cause);
  return {
    player_id,
    brand_id,
    campaign_id,
    version_id,
    cause_key,
    cause,
    ...newState(),
    entered_at: at,
    moved_at: at,
  };
}

/** The state of a run that has not taken its first step. Pure. */
export function newState(): Pick<NewRun, 'state' | 'position'> {
  const { state, reason: _, goalUntil: _none, ...position } = newRun();
  return { state, position };
}
