import type { Micros } from '@croupier/contracts';
import type { LookUpKnowledge, ProtectionFacts } from '../../../src/operator/protection/index.ts';
import { noon } from '../../clock.ts';

/* For tests of this stage: the facts about a fully known player who permits everything. The facts are a minute old. */

export const now: Micros = noon;
export const minute: Micros = 60_000_000;
export const hour: Micros = 60 * minute;

export const answered = (as_of: Micros | null = now - minute, more: Partial<LookUpKnowledge> = {}): LookUpKnowledge => {
  return { as_of, outdated: false, owed: false, coming: false, parked: false, failure: null, ...more };
};

const consent = (type: string) => {
  return {
    type_key: type.toLowerCase(),
    type,
    opted_in: true,
    in_doubt: false,
    unconfirmed: false,
    source: 'look_up',
    as_of: 0,
  } as const;
};

export function permissiveFacts(changes: Partial<ProtectionFacts> = {}): ProtectionFacts {
  return {
    player_id: 1,
    brand_id: 1,
    details: { is_excluded: false, excluded_in_doubt: false, is_blocked: false, blocked_in_doubt: false },
    market: null,
    country: null,
    zone: null,
    blocks: [],
    consents: ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'].map(consent),
    look_ups: { details: answered(), consents: answered(), blocks: answered() },
    ...changes,
  };
}
