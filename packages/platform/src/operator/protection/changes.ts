import type { Protection } from './inputs.ts';
import type { TransitionKind } from './transition.ts';

export interface ProtectionChange {
  kind: TransitionKind;
  /** The type in lower case; null if the change concerns the player as a whole. */
  consent_key: string | null;
}

/**
 * What changed between the state that was last published and the current one. Pure.
 *
 * When a state is first seen (`before` is null, or lacks the consent), only protection is published, because a message may
 * be queued for a player who had not been looked up yet. Publishing the six consents of every new player would create
 * useless transitions.
 */
export function protectionChanges(before: Protection | null, after: Protection): ProtectionChange[] {
  const whole = (kind: TransitionKind) => ({ kind, consent_key: null });
  const types = new Set([...Object.keys(before?.consents ?? {}), ...Object.keys(after.consents)]);
  return [
    ...(after.excluded && !before?.excluded ? [whole('excluded')] : []),
    ...(before?.excluded && !after.excluded ? [whole('exclusion_ended')] : []),
    ...(after.blocked && !before?.blocked ? [whole('blocked')] : []),
    ...(before?.blocked && !after.blocked ? [whole('block_ended')] : []),
    ...[...types].toSorted().flatMap((consent_key): ProtectionChange[] => {
      const was = before?.consents[consent_key];
      const is = after.consents[consent_key] ?? false;
      if (was === undefined || was === is) return [];
      return [{ kind: is ? 'consent_given' : 'consent_withdrawn', consent_key }];
    }),
  ];
}

/** Whether both states are the same, so that there is nothing to store. */
export function isSameProtection(before: Protection | null, after: Protection): boolean {
  const types = Object.keys(after.consents);
  return (
    before !== null &&
    before.excluded === after.excluded &&
    before.blocked === after.blocked &&
    types.length === Object.keys(before.consents).length &&
    types.every((type) => before.consents[type] === after.consents[type])
  );
}
