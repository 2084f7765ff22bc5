/** Public exports of the engine for outgoing calls; see README.md. */
export type { FinishContext, SendCheck, Started } from './call.ts';
export { type CampaignHold, campaignHoldOf, rowsOf } from './campaign-hold.ts';
export { Ladder, passing, pauseMs, untilPersonActs, type Waits, waitOf } from './ladder.ts';
export { done, dueInMs, lost, type Outcome, type OutcomeKind } from './outcome.ts';
export { Queue, type QueueSpec, type Ticket, takeTicket, type Wanted } from './queue.ts';
export { Runner, type RunnerOptions, type RunnerPlace, type RunnerSpec } from './runner.ts';
export { checkedBody, nullIfNotSent, SendNotAllowed } from './send-check.ts';
export { type Granted, type Group, type Place, Slots } from './slots.ts';
