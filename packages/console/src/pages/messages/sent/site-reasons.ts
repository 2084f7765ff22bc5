import { gateReasonsWithoutAddress } from '../../gate-reasons.ts';

/** Reasons for which a message was dropped or withdrawn although the gate did not withhold it. */
const endReasons = ['expired', 'recalled', 'campaign_recalled', 'bulk_cancelled'] as const;

/** Every reason that a message on the site or a push can have. */
export const siteReasons = [...endReasons, ...gateReasonsWithoutAddress];
