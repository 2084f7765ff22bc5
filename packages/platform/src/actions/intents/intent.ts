import type { DecimalText, Micros } from '@croupier/contracts';
import type { DueFor, IntentPosition, IntentTerms } from './position.ts';

/** bonus: POST /bonus/credit. funds: POST /bonus/credit/funds (docs/reference/interface.md, Endpoints A, rules 4 and 5). */
export const intentKinds = ['bonus', 'funds'] as const;
export type IntentKind = (typeof intentKinds)[number];

/**
 * References that the platform sends with the bonus call, and that an operator may return in bonus events. They show what caused the
 * bonus (docs/reference/decisions.md 6). `activity_id` is the campaign. The intent's own id is the fifth reference.
 */
export interface References {
  activity_id: string | null;
  action_id: string | null;
  action_group_id: string | null;
  trigger_hash: string | null;
}

/** One bonus that was decided. It must never be credited twice. */
export interface BonusIntent extends IntentPosition, IntentTerms, References {
  /** A UUID. All calls of the intent send it as the Idempotency-Key and as a reference. */
  intent_id: string;
  brand_id: number;
  player_id: number;
  kind: IntentKind;
  bonus_code: string;
  /** For funds, in `currency`; null for a bonus. */
  amount: DecimalText | null;
  currency: string | null;
  extra: Record<string, unknown>;
  note: string | null;
  offered: boolean;
  created_at: Micros;
  created_by: string;
  state_since: Micros;
  due_at: Micros | null;
  due_for: DueFor | null;
}

export interface NewIntent extends Partial<References> {
  brand_id: number;
  player_id: number;
  bonus_code: string;
  /** If set, together with `currency`, the intent credits funds of this amount. Otherwise it credits the bonus. */
  amount?: DecimalText | null;
  currency?: string | null;
  extra?: Record<string, unknown>;
  note?: string | null;
  /** True if the player has to claim it first. */
  offer?: boolean;
  expires_at?: Micros | null;
  /** The author of the request, such as an account or a campaign. */
  created_by: string;
  /** The caller's own key: the same key returns the same intent. Null: every call creates a new intent. */
  request_key?: string | null;
}
