import type { Attempt, ListedChange, ListedIntent } from '../../actions/index.ts';
import type { Language } from '../../language.ts';
import { maskMeta, maskText } from '../access/masking.ts';
import { inLanguage } from '../language/translate.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';

/** @param unmasked whether the caller may see personal data, which free values and texts may contain */
export function presentIntent(intent: ListedIntent, unmasked: boolean) {
  const { activity_id, action_id, action_group_id, trigger_hash, ...rest } = intent;
  return {
    ...rest,
    extra: unmasked ? intent.extra : maskMeta(intent.extra),
    note: unmasked ? intent.note : maskText(intent.note),
    references: { activity_id, action_id, action_group_id, trigger_hash },
    call_open: intent.open_attempt !== null,
    state_since: momentText(intent.state_since),
    created_at: momentText(intent.created_at),
    claimed_at: momentTextOrNull(intent.claimed_at),
    expires_at: momentTextOrNull(intent.expires_at),
    first_attempt_at: momentTextOrNull(intent.first_attempt_at),
    last_attempt_at: momentTextOrNull(intent.last_attempt_at),
    due_at: momentTextOrNull(intent.due_at),
  };
}

export function presentAttempt(attempt: Attempt, unmasked: boolean, language: Language) {
  const { answer_status: status, answer_body: body, answer_cut: cut, ...rest } = attempt;
  return {
    ...rest,
    detail: attempt.detail && inLanguage(attempt.detail, language),
    started_at: momentText(attempt.started_at),
    ended_at: momentTextOrNull(attempt.ended_at),
    answer: status === null ? null : { status, body: (unmasked ? body : maskText(body)) ?? '', cut },
    request: presentRequest(attempt.request, unmasked),
  };
}

/** The request is empty after an erasure (privacy/inventory/actions.ts). */
function presentRequest(request: Attempt['request'], unmasked: boolean) {
  if (!('method' in request)) return null;
  return unmasked ? request : { ...request, body: maskMeta(isFields(request.body) ? request.body : {}) };
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function presentChange(change: ListedChange, unmasked: boolean) {
  return { ...change, at: momentText(change.at), note: unmasked ? change.note : maskText(change.note) };
}
