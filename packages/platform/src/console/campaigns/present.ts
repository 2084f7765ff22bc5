import type { ListedRun, StoredCampaign, StoredStart, StoredStepRecord, StoredVersion } from '../../campaigns/index.ts';
import type { Language } from '../../language.ts';
import { inLanguage } from '../language/translate.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { revisionOf } from '../routing/revision.ts';

export function presentVersion(
  {
    version,
    state,
    document,
    created_at,
    created_by,
    published_at,
    published_by,
    approval,
    rejection,
    approved_by,
    moves_runs,
  }: StoredVersion,
  /** The language of the reasons for an approval. */
  language: Language = 'en',
) {
  return {
    version,
    state,
    document,
    created_at: momentText(created_at),
    created_by,
    published_at: momentTextOrNull(published_at),
    published_by,
    approval: approval && {
      ...approval,
      reasons: approval.reasons.map((reason) => inLanguage(reason, language)),
      asked_at: momentText(approval.asked_at),
    },
    rejection: rejection && { ...rejection, rejected_at: momentText(rejection.rejected_at) },
    approved_by,
    moves_runs,
  };
}

export interface WholeCampaign {
  campaign: StoredCampaign;
  /** Newest first. */
  versions: readonly StoredVersion[];
  entered: number;
  running: number;
}

export function presentCampaign({ campaign, versions, entered, running }: WholeCampaign, language: Language = 'en') {
  const { code, name, state, reason, share, halted_at, unchecked_since, unchecked_reason, created_at, created_by } =
    campaign;
  const published = versions.find((one) => one.state === 'published');
  const draft = versions.find((one) => one.state === 'draft');
  const shown = published ?? versions[0];
  if (shown === undefined) throw new Error(`the campaign ${code} has no version`);
  return {
    code,
    name,
    state,
    reason: halted_at === null || reason === null ? reason : inLanguage(reason, language),
    share,
    halted_at: momentTextOrNull(halted_at),
    unchecked:
      unchecked_since === null ? null : { since: momentText(unchecked_since), reason: unchecked_reason ?? 'unknown' },
    version: published?.version ?? null,
    document: shown.document,
    draft: draft === undefined ? null : presentVersion(draft, language),
    revision: campaignRevision(versions),
    entered,
    running,
    created_at: momentText(created_at),
    created_by,
  };
}

/** The revision of the document that the next change replaces: of the draft, or of the version in force. */
export function campaignRevision([newest]: readonly StoredVersion[]): string {
  return revisionOf(newest?.document ?? null);
}

export function presentStart({
  local,
  due_at,
  state,
  reason,
  total,
  looked,
  entered,
  started_at,
  finished_at,
}: StoredStart) {
  return {
    local,
    at: momentText(due_at),
    state,
    reason,
    total,
    looked,
    entered,
    started_at: momentTextOrNull(started_at),
    finished_at: momentTextOrNull(finished_at),
  };
}

export function presentRun(
  run: ListedRun,
  {
    campaign,
    version,
    records,
    areRecordsCut,
  }: { campaign: string; version: number; records: readonly StoredStepRecord[]; areRecordsCut: boolean },
) {
  const { run_id, user_id, state, reason, position, cause, due_at, goal_until, entered_at, moved_at } = run;
  const { at, ...named } = cause;
  return {
    run_id,
    campaign,
    version,
    user_id,
    state,
    reason,
    step: position.step,
    waits_for: position.wait?.for ?? null,
    due_at: momentTextOrNull(due_at),
    goal_until: momentTextOrNull(goal_until),
    variant: Object.values(position.variants).at(-1) ?? null,
    cause: { ...named, at: momentText(at) },
    entered_at: momentText(entered_at),
    moved_at: momentText(moved_at),
    steps: records.map(({ step, state, at, reason, variant, effect }) => ({
      id: step,
      state,
      at: momentText(at),
      reason,
      variant,
      effect,
    })),
    steps_cut: areRecordsCut,
  };
}
