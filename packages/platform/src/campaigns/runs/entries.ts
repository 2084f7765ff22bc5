import { decideReentry, isInShare, matchesEvent, newRun } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import { evaluate, type PlayerView } from '@croupier/rules';
import type { ActiveRow, RunnableVersion } from '../documents/active-store.ts';
import { type CampaignNews, causeKey, type RunCause } from '../news/news.ts';
import type { Reading } from './reading.ts';
import type { EarlierRun, NewRun, RunPlayer } from './store.ts';

/** A campaign that players may enter, in its published version. */
export interface EnterableCampaign {
  active: ActiveRow;
  version: RunnableVersion;
}

export interface Entrant {
  player: RunPlayer;
  view: PlayerView;
  /** Of the player in this campaign, in any order. */
  earlier: readonly EarlierRun[];
}

/** Whether news is of the kind that a campaign begins with; a campaign reads nothing of the player before. Pure. */
export function concerns({ active, version }: EnterableCampaign, news: CampaignNews, reading: Reading): boolean {
  const { entry } = version.document;
  if (active.phase !== 'live') return false;
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
 * Whether the player enters for this cause. Pure: the same again gives the same, and the unique cause of a run makes a repeat harmless.
 *
 * @returns the run, or null: protected, outside the share or the audience, or the rule of re-entry says no
 */
export function entryOf(
  campaign: EnterableCampaign,
  { view, ...entrant }: Entrant,
  cause: RunCause,
  reading: Reading,
): NewRun | null {
  const { audience } = campaign.version.document;
  const run = newRunFor(campaign, entrant, cause, reading.at);
  if (run !== null && audience !== undefined && !evaluate(audience, view, reading).value) return null;
  return run;
}

/** The same of a player who is in the audience. Pure. */
export function newRunFor(
  { active, version }: EnterableCampaign,
  { player, earlier }: Omit<Entrant, 'view'>,
  cause: RunCause,
  at: Micros,
): NewRun | null {
  const { document, version_id, campaign_id, brand_id, code } = version;
  if (player.protection !== null) return null;
  if (!isInShare(`${code} ${player.user_id}`, active.share)) return null;
  if (!decideReentry(document.reentry, { earlier, at })) return null;
  const { state, reason: _, ...position } = newRun();
  const cause_key = causeKey(cause);
  const { player_id } = player;
  return {
    player_id,
    brand_id,
    campaign_id,
    version_id,
    cause_key,
    cause,
    state,
    position,
    entered_at: at,
    moved_at: at,
  };
}
