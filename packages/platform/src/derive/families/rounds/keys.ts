import { hash } from 'node:crypto';
import type { BrandSettings } from '../../../brands/index.ts';
import type { Activity } from './activity.ts';

/** The ids of a round within its player. Together with the time, they identify it (docs/reference/decisions.md 2.6). */
export interface RoundIds {
  readonly vendor_id: string;
  readonly game_id: string;
  readonly round_id: string;
}

/**
 * How a brand identifies its casino activities (setting casino_activity_key, docs/reference/decisions.md 2.4 and 2.6).
 *
 *   key       events with the same key are versions of one activity. `status` is always part of it: a Rollback is never a
 *             repeat of the event that it cancels
 *   identity  what a Rollback and the Approved that it cancels have in common: vendor_id, activity_id and type; also
 *             round_id or game_id if the key contains them, because the brand reuses activity ids
 *   lookups   hashes that find versions of the same key and of the same identity, whatever round they are in. One hash
 *             serves both, unless the key lacks a field of the identity
 */
export interface KeyRule {
  readonly isUsual: boolean;
  key(ids: RoundIds, activity: Activity): string;
  identity(ids: RoundIds, activity: Activity): string;
  lookups(ids: RoundIds, activity: Activity): readonly number[];
}

type Field = BrandSettings['casino_activity_key'][number];

const ofIdentity: readonly Field[] = ['vendor_id', 'activity_id', 'type'];

export function keyRuleOf({ casino_activity_key }: Pick<BrandSettings, 'casino_activity_key'>): KeyRule {
  const fields = casino_activity_key as readonly Field[];
  const isUsual = ofIdentity.every((field) => fields.includes(field));
  const shared = [...ofIdentity, ...fields.filter((field) => field === 'round_id' || field === 'game_id')];
  const withoutStatus = fields.filter((field) => field !== 'status');
  const rest = isUsual ? withoutStatus.filter((field) => !shared.includes(field)) : withoutStatus;
  const identity: KeyRule['identity'] = (ids, activity) => join(shared, ids, activity);
  return {
    isUsual,
    identity,
    key(ids, activity) {
      const own = `${activity.status}\0${isUsual ? identity(ids, activity) : ''}`;
      return rest.length === 0 ? own : `${own}\0${join(rest, ids, activity)}`;
    },
    lookups(ids, activity) {
      const found = hashOf(identity(ids, activity));
      return isUsual ? [found] : [found, hashOf(`key\0${join(withoutStatus, ids, activity)}`)];
    },
  };
}

/** No text of an event contains a zero byte, so it separates the fields unambiguously. */
function join(fields: readonly Field[], ids: RoundIds, activity: Activity): string {
  let text = '';
  for (const field of fields) {
    const value = field === 'vendor_id' || field === 'game_id' || field === 'round_id' ? ids[field] : activity[field];
    text += text === '' ? value : `\0${value}`;
  }
  return text;
}

/** 52 bits, a safe integer. It is only used to find candidates. They are then compared by their ids. */
export function hashOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}

export function roundName({ vendor_id, game_id, round_id }: RoundIds): string {
  return `${vendor_id}\0${game_id}\0${round_id}`;
}
