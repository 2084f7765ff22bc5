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
 * At first sight (`before` null) only what protects is published: something may be queued for a player whom nobody had
 * looked up yet. Six consents of every new player would be no news.
 */
export function protectionChanges(before: Protection | null, after: Protection): ProtectionChange[] {
  const whole = (kind: TransitionKind) => ({ kind, consent_key: null });
  const given = new Set(after.consents_given);
  const gave = new Set(before?.consents_given);
  return [
    ...(after.excluded && !before?.excluded ? [whole('excluded')] : []),
    ...(before?.excluded && !after.excluded ? [whole('exclusion_ended')] : []),
    ...(after.blocked && !before?.blocked ? [whole('blocked')] : []),
    ...(before?.blocked && !after.blocked ? [whole('block_ended')] : []),
    ...[...gave]
      .filter((key) => !given.has(key))
      .map((key) => ({ kind: 'consent_withdrawn' as const, consent_key: key })),
    ...(before === null ? [] : [...given].filter((key) => !gave.has(key))).map((key) => {
      return { kind: 'consent_given' as const, consent_key: key };
    }),
  ];
}
