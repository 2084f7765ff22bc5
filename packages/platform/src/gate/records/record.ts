import { createHash } from 'node:crypto';
import { canonicalJson, type Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import type { Verdict } from '../decision/decide.ts';
import { ruleVersion } from '../decision/rule.ts';
import type { RuledVerdict } from '../decision/rules-of-contact.ts';
import type { ContactRequest } from '../request.ts';

/** A decision as recorded. About the player, it contains only flags and times, so nothing in it needs to be erased. */
export interface NewDecision {
  brand_id: number;
  player_id: number;
  channel: string;
  purpose: string;
  outcome: 'allowed' | 'withheld' | 'held';
  reason: string | null;
  cause_kind: string;
  cause_id: string;
  rule_version: number;
  /** `RecordedInputs` as JSON text. The digest is over exactly these bytes. */
  inputs: string;
  inputs_sha256: Buffer;
  age_ms: number | null;
  decided_at: Micros;
  expires_at: Micros | null;
}

export interface RecordedInputs {
  /** What each source said, in the terms of `ProtectionInput`; times as RFC 3339. */
  said: {
    about: string;
    input: string;
    value: boolean | null;
    in_doubt: boolean;
    unconfirmed: boolean;
    counts: boolean;
    source: string | null;
    as_of: string | null;
  }[];
  /** How fresh each look-up was for each fact, and what it lacked. */
  freshness: { look_up: string; as_of: string | null; lack: string | null }[];
  /** What the rules of contact were based on, if they were applied. */
  contact?: Readonly<Record<string, unknown>>;
}

export function recordOf(request: ContactRequest, verdict: RuledVerdict, now: Micros): NewDecision {
  const { brand_id, player_id, channel, purpose, cause, expires_at } = request;
  const { contact } = verdict;
  const inputs = canonicalJson({ ...recordedInputs(verdict), ...(contact !== null && { contact }) });
  return {
    brand_id,
    player_id,
    channel,
    purpose,
    expires_at,
    inputs,
    outcome: verdict.outcome,
    reason: verdict.reason,
    cause_kind: cause.kind,
    cause_id: cause.id,
    rule_version: ruleVersion,
    inputs_sha256: createHash('sha256').update(inputs).digest(),
    age_ms: verdict.as_of === null ? null : Math.max(0, Math.round((now - verdict.as_of) / 1_000)),
    decided_at: now,
  };
}

export function recordedInputs({ inputs, freshness }: Pick<Verdict, 'inputs' | 'freshness'>): RecordedInputs {
  const text = (at: Micros | null) => (at === null ? null : timestamptzText(at));
  return {
    said: inputs.map((one) => ({ ...one, as_of: text(one.as_of) })),
    freshness: freshness.map((one) => ({ ...one, as_of: text(one.as_of) })),
  };
}
