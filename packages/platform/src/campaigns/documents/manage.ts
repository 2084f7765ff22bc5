import {
  approvalReasons,
  type Campaign,
  checkCampaign,
  eventKindsOf,
  goneSteps,
  rulesOf,
  swappedSteps,
} from '@croupier/campaigns';
import { type EventKind, eventKinds, type Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { lockAllBuckets } from '../../buckets/index.ts';
import { needsOf, type RuleReading } from '../../segments/membership/index.ts';
import { eventName } from '../news/event-names.ts';
import type { ChangeKind } from '../news/news.ts';
import { hasOpenRuns } from '../runs/store.ts';
import { endSchedule, setSchedule } from '../starts/store.ts';
import { activate, forgetCampaign, setActiveShare, setPhase, setStopped } from './active-store.ts';
import { approvalLimits } from './approval-limits.ts';
import { CampaignRefused, germanStates } from './refused.ts';
import { type CampaignEvent, nextState } from './state.ts';
import * as store from './store.ts';

/* What people can do with campaigns. Each function runs in a transaction of its caller, who also writes the audit log. */

/** Writes the draft. A document with errors can be saved; the errors are reported at publication. */
export async function saveDocument(
  tx: ClientBase,
  campaign: store.StoredCampaign,
  document: Campaign,
  by: store.By,
): Promise<void> {
  if (document.code !== campaign.code)
    throw new CampaignRefused(
      'invalid',
      { en: 'the code of a campaign cannot be changed', de: 'Das Kürzel einer Kampagne kann nicht geändert werden' },
      [{ path: '/code', message: `code must be ${campaign.code}` }],
    );
  await store.saveDraft(tx, campaign.campaign_id, document, by);
}

export interface PublishDeps {
  rules: RuleReading;
  known: Parameters<typeof checkCampaign>[1];
  brand: Brand;
}

/**
 * Puts the draft into force: from now on players enter this version. Active runs finish on their own version. If `movesRuns` is
 * true, the runs of an earlier version move to this one if it still contains all steps of that version. If it contains them in
 * another order, the publication is refused. Above the brand's limits, the draft waits for the approval of a second person instead.
 */
export async function publish(
  tx: ClientBase,
  deps: PublishDeps,
  campaign: store.StoredCampaign,
  by: store.By,
  { movesRuns = false }: { movesRuns?: boolean | undefined } = {},
): Promise<void> {
  const draft = { ...(await draftOf(tx, campaign)), moves_runs: movesRuns };
  refuseWrong(draft, deps);
  await refuseSwapped(tx, draft);
  stateAfter(campaign, 'publish');
  const reasons = await reasonsToApprove(tx, deps.brand, draft.document);
  await store.setMovesRuns(tx, draft.version_id, movesRuns);
  if (reasons.length === 0) return comeIntoForce(tx, deps, campaign, draft, by);
  if (draft.approval !== null)
    throw new CampaignRefused('conflict', {
      en: 'the draft is already waiting for approval',
      de: 'Der Entwurf wartet bereits auf eine Freigabe',
    });
  await store.askApproval(tx, draft.version_id, { asked_at: by.at, asked_by: by.actor, reasons });
}

/**
 * A second person puts the draft into force. This must be neither its last author nor the person who requested its publication.
 */
export async function approve(
  tx: ClientBase,
  deps: PublishDeps,
  campaign: store.StoredCampaign,
  by: store.By,
): Promise<void> {
  const { draft, asked_by } = await waitingFor(tx, campaign, by);
  refuseWrong(draft, deps);
  await refuseSwapped(tx, draft);
  await comeIntoForce(tx, deps, campaign, draft, { at: by.at, actor: asked_by }, by.actor);
}

/** A second person rejects the draft. It stays, no longer waits, and shows the reason until its publication is requested again. */
export async function reject(
  tx: ClientBase,
  campaign: store.StoredCampaign,
  by: store.By,
  reason: string,
): Promise<void> {
  const { draft } = await waitingFor(tx, campaign, by);
  await store.setRejection(tx, draft.version_id, { rejected_at: by.at, rejected_by: by.actor, reason });
}

/** The draft that waits for a decision by this person. @throws {CampaignRefused} if it does not wait, or if this person may not decide */
async function waitingFor(
  tx: ClientBase,
  campaign: store.StoredCampaign,
  { actor }: store.By,
): Promise<{ draft: store.StoredVersion; asked_by: string }> {
  const draft = await draftOf(tx, campaign);
  if (draft.approval === null)
    throw new CampaignRefused('conflict', {
      en: 'the draft is not waiting for approval; publish it',
      de: 'Der Entwurf wartet nicht auf eine Freigabe; veröffentlichen Sie ihn',
    });
  const { asked_by } = draft.approval;
  if (actor === asked_by || actor === draft.created_by)
    throw new CampaignRefused('conflict', {
      en: 'a second person must decide, not the person who wrote or published the draft',
      de: 'Eine zweite Person muss entscheiden, nicht die, die den Entwurf geschrieben oder veröffentlicht hat',
    });
  return { draft, asked_by };
}

async function draftOf(tx: ClientBase, { campaign_id }: store.StoredCampaign): Promise<store.StoredVersion> {
  const draft = (await store.readVersions(tx, [campaign_id])).find(({ state }) => state === 'draft');
  if (draft === undefined)
    throw new CampaignRefused('conflict', {
      en: 'there is no draft to publish; change the campaign first',
      de: 'Es gibt keinen Entwurf, der veröffentlicht werden kann; ändern Sie zuerst die Kampagne',
    });
  return draft;
}

function refuseWrong({ document }: store.StoredVersion, { known }: PublishDeps): void {
  const errors = checkCampaign(document, known);
  if (errors.length > 0)
    throw new CampaignRefused(
      'invalid',
      { en: 'the campaign cannot be published', de: 'Die Kampagne kann nicht veröffentlicht werden' },
      errors,
    );
}

/** Runs that move to a version with another order of the steps could pass a step twice. */
async function refuseSwapped(
  tx: ClientBase,
  { campaign_id, document, moves_runs }: Pick<store.StoredVersion, 'campaign_id' | 'document' | 'moves_runs'>,
): Promise<void> {
  if (!moves_runs) return;
  for (const { version_id, version, state, document: from } of await store.readVersions(tx, [campaign_id])) {
    if (state === 'draft' || goneSteps(from, document).length > 0) continue;
    const swapped = swappedSteps(from, document);
    if (swapped === undefined || !(await hasOpenRuns(tx, campaign_id, version_id))) continue;
    const { first, second } = swapped;
    throw new CampaignRefused('conflict', {
      en: `the active runs of version ${version} cannot move: in it, the step ${first} comes before ${second}, and in the draft after it, so runs could pass a step twice. Keep the order of the steps, or publish without moving runs`,
      de: `Die laufenden Durchgänge der Version ${version} können nicht übernommen werden: Dort steht der Schritt ${first} vor ${second}, im Entwurf danach. So könnten Durchgänge einen Schritt zweimal durchlaufen. Behalten Sie die Reihenfolge der Schritte bei, oder veröffentlichen Sie, ohne laufende Durchgänge zu übernehmen`,
    });
  }
}

/** The current share of the campaign is ignored, because it can grow to 100 percent without approval. */
async function reasonsToApprove(tx: ClientBase, { brand_id, settings }: Brand, document: Campaign): Promise<string[]> {
  const limits = approvalLimits(settings);
  if (limits.players === null && limits.money === null) return [];
  const most = await store.countPlayers(tx, brand_id);
  return approvalReasons(document, { players: most, baseCurrency: settings.base_currency }, limits);
}

async function comeIntoForce(
  tx: ClientBase,
  { rules }: PublishDeps,
  campaign: store.StoredCampaign,
  { document, version_id, moves_runs }: store.StoredVersion,
  by: store.By,
  approvedBy: string | null = null,
): Promise<void> {
  const state = stateAfter(campaign, 'publish');
  await refuseWhileRunsExit(tx, campaign);
  await store.publishVersion(tx, campaign.campaign_id, version_id, by, approvedBy);
  await store.setState(tx, campaign.campaign_id, state);
  await store.watchSince(tx, campaign.campaign_id, by.at);
  const ofSegment = 'segment' in document.entry ? document.entry : null;
  await activate(tx, {
    campaign_id: campaign.campaign_id,
    brand_id: campaign.brand_id,
    code: campaign.code,
    version_id,
    phase: state === 'paused' ? 'paused' : 'live',
    share: campaign.share,
    kinds: kindsOf(document, rules),
    goal_kinds: document.goal === undefined ? [] : [document.goal.event],
    segment_code: ofSegment?.segment ?? null,
    transition: ofSegment?.on ?? null,
    products: document.products ?? [],
    moves_from: moves_runs ? await movable(tx, campaign.campaign_id, document) : [],
  });
  if ('schedule' in document.entry) await setSchedule(tx, campaign.campaign_id, document.entry.schedule, by.at);
  else await endSchedule(tx, campaign.campaign_id, by.at);
}

/**
 * After a stop, all runs exit. With a million runs, this takes minutes. If the campaign was live again before, the remaining runs would
 * continue and send their messages. A round that began before the stop may still insert runs, so the rounds are awaited first.
 */
async function refuseWhileRunsExit(tx: ClientBase, { campaign_id, state }: store.StoredCampaign): Promise<void> {
  if (state !== 'stopped') return;
  if (!(await lockAllBuckets(tx, 'campaigns')) || (await hasOpenRuns(tx, campaign_id)))
    throw new CampaignRefused('conflict', {
      en: 'the campaign was stopped and some of its runs have not exited yet; try again in a moment',
      de: 'Die Kampagne wurde beendet, aber einige ihrer Durchgänge laufen noch; versuchen Sie es gleich noch einmal',
    });
}

/** Earlier published versions of which the document still contains all steps, in the same order. */
async function movable(tx: ClientBase, campaignId: number, document: Campaign): Promise<number[]> {
  const earlier = (await store.readVersions(tx, [campaignId])).filter(({ state }) => state === 'retired');
  return earlier
    .filter(
      (one) => goneSteps(one.document, document).length === 0 && swappedSteps(one.document, document) === undefined,
    )
    .map(({ version_id }) => version_id);
}

/** Kinds of news that may start or move a run: events that the campaign names, and those on which its rule waits depend. */
function kindsOf(document: Campaign, rules: RuleReading): (EventKind | ChangeKind)[] {
  const names = new Set(eventKindsOf(document));
  const needs = rulesOf(document, 'waits').map((rule) => needsOf(rule));
  const ofRules = needs.flatMap((one) => [...rules.kindsOf(one)]);
  return [
    ...eventKinds.filter((kind) => names.has(eventName(kind)) || ofRules.includes(kind)),
    ...(['message', 'offer'] as const).filter((kind) => ofRules.includes(kind)),
    ...(needs.some((one) => rules.readsRecords(one)) ? (['record'] as const) : []),
    ...(needs.some(({ segments }) => segments.size > 0) ? (['segment'] as const) : []),
    ...(needs.some(({ tags }) => tags.size > 0) ? (['tag'] as const) : []),
  ];
}

/**
 * Pauses the campaign: players no longer enter, waits continue, and effects wait. Queued effects also wait if their call has not
 * begun.
 */
export async function pause(tx: ClientBase, campaign: store.StoredCampaign): Promise<void> {
  await store.setState(tx, campaign.campaign_id, stateAfter(campaign, 'pause'));
  await setPhase(tx, campaign.campaign_id, 'paused');
}

/** Workers gradually release what the pause held. */
export async function resume(tx: ClientBase, campaign: store.StoredCampaign, { at }: store.By): Promise<void> {
  await store.setState(tx, campaign.campaign_id, stateAfter(campaign, 'resume'));
  await store.watchSince(tx, campaign.campaign_id, at);
  await store.countDaySince(tx, campaign.campaign_id, at);
  await setPhase(tx, campaign.campaign_id, 'live');
}

/**
 * Stops the campaign: players no longer enter, a running start ends, and active runs exit as workers reach them. Ordered effects
 * are withdrawn if their call has not begun.
 */
export async function stop(tx: ClientBase, campaign: store.StoredCampaign, { at }: store.By): Promise<void> {
  await store.setState(tx, campaign.campaign_id, stateAfter(campaign, 'stop'));
  await setStopped(tx, campaign.campaign_id, at);
  await endSchedule(tx, campaign.campaign_id, at);
}

/** @param share percentage of the players who may enter from now on; active runs continue */
export async function ramp(
  tx: ClientBase,
  campaign: store.StoredCampaign,
  share: number,
  { at }: Pick<store.By, 'at'>,
): Promise<void> {
  await store.watchSince(tx, campaign.campaign_id, at);
  await store.setShare(tx, campaign.campaign_id, share);
  await setActiveShare(tx, campaign.campaign_id, share);
}

/**
 * Deletes a campaign with its runs. Only allowed for a draft and for a stopped campaign. What its runs ordered and what still waits for its
 * call is withdrawn.
 */
export async function remove(tx: ClientBase, campaign: store.StoredCampaign, at: Micros): Promise<void> {
  if (campaign.state !== 'draft' && campaign.state !== 'stopped')
    throw new CampaignRefused('conflict', {
      en: `the campaign is ${campaign.state}; stop it first`,
      de: `Die Kampagne ${germanStates[campaign.state]}; beenden Sie sie zuerst`,
    });
  await forgetCampaign(tx, campaign.campaign_id, at);
  await store.deleteCampaign(tx, campaign.campaign_id);
}

function stateAfter(campaign: store.StoredCampaign, event: CampaignEvent) {
  const state = nextState(campaign.state, event);
  if (state === null)
    throw new CampaignRefused('conflict', {
      en: `the campaign is ${campaign.state}`,
      de: `Die Kampagne ${germanStates[campaign.state]}`,
    });
  return state;
}
