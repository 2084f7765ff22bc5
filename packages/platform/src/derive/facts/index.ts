export { type Arrival, type Decided, type Decision, decideFacts, type FactRules, readArrivals } from './decide.ts';
export { type FactFamily, factFamily } from './family.ts';
export { ofEventInForce } from './of-event-in-force.ts';
export { ofEvents } from './of-events.ts';
export { type FactTable, factTable } from './table.ts';
