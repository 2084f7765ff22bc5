/*
 * States of a campaign.
 *
 *   draft --publish--> live <--pause, resume--> paused
 *                       |  |-- exceeds its limits (halt/) --> paused
 *                       |  '-- a step cannot be read --> failed --publish--> live
 *                       '--stop--> stopped --publish--> live
 *
 * Its versions: draft --publish--> published --a newer one is published--> retired. Active runs finish on their version, or
 * move.
 */
export const campaignStates = ['draft', 'live', 'paused', 'stopped', 'failed'] as const;
export type CampaignState = (typeof campaignStates)[number];
export const versionStates = ['draft', 'published', 'retired'] as const;
export type VersionState = (typeof versionStates)[number];

export const campaignEvents = ['publish', 'pause', 'resume', 'stop', 'fail'] as const;
export type CampaignEvent = (typeof campaignEvents)[number];

/** The complete table. null: the event is refused in that state. */
const table: Record<CampaignState, Record<CampaignEvent, CampaignState | null>> = {
  draft: { publish: 'live', pause: null, resume: null, stop: null, fail: null },
  live: { publish: 'live', pause: 'paused', resume: null, stop: 'stopped', fail: 'failed' },
  paused: { publish: 'paused', pause: null, resume: 'live', stop: 'stopped', fail: 'failed' },
  stopped: { publish: 'live', pause: null, resume: null, stop: null, fail: null },
  failed: { publish: 'live', pause: null, resume: null, stop: 'stopped', fail: 'failed' },
};

export function nextState(state: CampaignState, event: CampaignEvent): CampaignState | null {
  return table[state][event];
}
