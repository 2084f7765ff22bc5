import { campaignOf, type ListedAction } from '../../bulk/index.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';

export function presentAction({ action, progress, counts }: ListedAction) {
  const { kind, campaign_id: _, expires_at, ...does } = action.does;
  const sum = (states: readonly string[]) =>
    counts.reduce((all, { state, players }) => all + (states.includes(state) ? players : 0), 0);
  const open = sum(['listed', 'waiting']);
  const byState = new Map<string, number>();
  for (const { state, players } of counts) byState.set(state, (byState.get(state) ?? 0) + players);
  const isGathered = progress.state !== 'gathering' && progress.players > 0;
  return {
    action_id: action.action_id,
    segment: action.segment_code,
    kind,
    does: { ...does, expires_at: momentTextOrNull(expires_at) },
    campaign_id: campaignOf(action),
    per_second: action.per_second,
    state: progress.state,
    waits_for: progress.waits_for as 'segment' | 'failure' | null,
    players: progress.players,
    progress: progress.state === 'done' ? 1 : isGathered ? (progress.players - open) / progress.players : 0,
    counts: Object.fromEntries(byState),
    withheld: Object.fromEntries(
      counts.flatMap(({ state, reason, players }) => (state === 'withheld' ? [[reason, players]] : [])),
    ),
    created_at: momentText(action.created_at),
    created_by: action.created_by,
    finished_at: momentTextOrNull(progress.finished_at),
    cancelled_by: action.cancelled_by,
  };
}
