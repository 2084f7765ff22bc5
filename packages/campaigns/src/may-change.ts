import { findStep } from './advance.ts';
import type { Campaign } from './document.ts';
import type { Input, Run } from './run.ts';
import { reactions } from './state.ts';

/**
 * Whether an input can change a run. It may return true for an input that changes nothing, but never false for one that changes
 * something. It needs no data of the player, so it is fast; most events cannot move most runs.
 */
export function mayChange(
  campaign: Campaign,
  { state, step: id, hadEffect }: Pick<Run, 'state' | 'step' | 'hadEffect'>,
  input: Input,
): boolean {
  const reaction = reactions[state][input.kind];
  switch (reaction) {
    case 'ignore':
      return false;
    case 'goal':
      return input.kind === 'event' && input.event.kind === campaign.goal?.event;
    case 'match': {
      if (input.kind !== 'event') return false;
      if (input.event.kind === campaign.goal?.event) return true;
      const wait = state === 'waiting' ? waitAt(campaign, id) : undefined;
      return wait !== undefined && 'event' in wait && wait.event === input.event.kind;
    }
    case 'look': {
      if (input.kind !== 'changed' || state !== 'waiting') return true;
      const wait = waitAt(campaign, id);
      return wait === undefined || 'rule' in wait;
    }
    case 'withdraw':
      return !hadEffect;
    default:
      return true;
  }
}

function waitAt({ steps }: Campaign, id: string | null) {
  const step = id === null ? undefined : findStep(steps, id);
  return step !== undefined && 'wait' in step ? step.wait : undefined;
}
