import type { ListedDecision } from '../../gate/index.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import type { ShownDecision } from './contactability-schemas.ts';

export function presentDecision({ cause_kind, cause_id, ...decision }: ListedDecision): ShownDecision {
  return {
    ...decision,
    outcome: decision.outcome as ShownDecision['outcome'],
    inputs: decision.inputs as ShownDecision['inputs'],
    cause: { kind: cause_kind, id: cause_id },
    decided_at: momentText(decision.decided_at),
    expires_at: momentTextOrNull(decision.expires_at),
  };
}
