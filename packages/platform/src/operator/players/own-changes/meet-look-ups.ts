import type { Micros } from '@croupier/contracts';
import type { Found } from '../../judging/index.ts';
import type { OpenItem, WrittenRecord } from './item.ts';
import type { UpdatedItem } from './open-item-store.ts';
import { blockSaid, consentSaid, isHeld, judgeOwnChange, type Verdict } from './own-changes.ts';
import { waitBeforeRewrite } from './rewrite.ts';

/** A good answer that is about to be written. */
export interface MeetingAnswer {
  player_id: number;
  /** The request that it answers. */
  request: number;
  asked_at: Micros;
  found: Found;
}

/** The types of a player's record whose value in the look-up is ignored. */
export type HeldTypes = (playerId: number, record: WrittenRecord) => ReadonlySet<string>;

/**
 * Compares look-ups with open changes of the platform. Decides which of their values count (own-changes.ts), and how the changes
 * are updated. The transaction of the look-ups has locked their rows of player_sync before it read the items, so no other change of
 * the player can intervene.
 */
export function meetLookUps(
  items: readonly OpenItem[],
  answers: readonly MeetingAnswer[],
): { heldTypes: HeldTypes; updates: UpdatedItem[] } {
  const byRecord = new Map(answers.map((answer) => [`${answer.player_id} ${answer.found.look_up}`, answer]));
  const held = new Map<string, Set<string>>();
  const updates = items.flatMap((item): UpdatedItem[] => {
    const key = `${item.player_id} ${item.record}`;
    const answer = byRecord.get(key);
    if (answer === undefined) return [];
    const said = saidBy(answer.found, item.type_key);
    const verdict = judgeOwnChange(item, said, answer);
    if (isHeld(verdict)) held.set(key, (held.get(key) ?? new Set()).add(item.type_key));
    return [updatedItem(item, verdict, said, answer.asked_at)];
  });
  const none: ReadonlySet<string> = new Set();
  return { heldTypes: (playerId, record) => held.get(`${playerId} ${record}`) ?? none, updates };
}

function saidBy(found: Found, typeKey: string): boolean | null {
  switch (found.look_up) {
    case 'consents':
      return consentSaid(found.record.consents, typeKey);
    case 'blocks':
      return blockSaid(found.record, typeKey);
    case 'details':
      return null;
  }
}

const stateAfter: Record<Verdict, UpdatedItem['state']> = {
  hold: null,
  decide: null,
  rewrite: 'pending',
  contradict: 'contradicted',
  watch: 'stored',
  confirm: 'confirmed',
  overrule: 'overruled',
};

function updatedItem(item: OpenItem, verdict: Verdict, said: boolean | null, said_at: Micros): UpdatedItem {
  const { item_id, player_id, record, rewrites } = item;
  const seen = verdict === 'watch' || (item.seen && verdict !== 'rewrite');
  const delay_ms = verdict === 'rewrite' ? waitBeforeRewrite(rewrites, Math.random()) : null;
  return { item_id, player_id, record, said, said_at, state: stateAfter[verdict], seen, delay_ms };
}
