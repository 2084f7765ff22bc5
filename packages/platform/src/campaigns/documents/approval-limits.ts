import type { ApprovalLimits } from '@croupier/campaigns';
import type { BrandSettings } from '../../brands/index.ts';

/** The limits that a brand sets. A limit is null if it is not set. */
export function approvalLimits({ campaign_approval }: Pick<BrandSettings, 'campaign_approval'>): ApprovalLimits {
  const { players, money } = campaign_approval;
  return { players: players === 0 ? null : players, money: money === '' ? null : money };
}
