/** Public exports of the engine for outgoing calls; see README.md. */
export type { Begun, Departure, Hand } from './call.ts';
export { Ladder, passing, pauseMs, untilSomebodyActs, type Waits, waitOf } from './ladder.ts';
export { bodyThatMayLeave, MayNotLeave, nullIfNotLeft } from './may-leave.ts';
export { done, dueInMs, lost, type Outcome, type OutcomeKind } from './outcome.ts';
export { Queue, type QueueSpec, type Ticket, takeTicket, type Wanted } from './queue.ts';
export { Runner, type RunnerOptions, type RunnerPlace, type RunnerSpec } from './runner.ts';
export { type Granted, type Group, type Place, Slots } from './slots.ts';
