import type { Protection } from './inputs.ts';
import type { TransitionKind } from './transition.ts';

export interface ProtectionChange {
  kind: TransitionKind;
  /** Lower-case type; null for what is about the player as a whole. */
  consent_key: string | null;
}

/**
 * What changed between the state that was last published and the one of now. Pure.
 *
 * At first sight (`before` null, or without the consent) only what protects is published: something may be queued for a player
 * whom nobody had looked up yet. Six consents of every new player would be no news.
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

/** Whether there is anything to remember that was not published before. */
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
