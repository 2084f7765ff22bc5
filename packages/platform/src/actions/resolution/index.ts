/** Resolution of intents by bonus events. See README.md. */
export { assignedHow } from './assign.ts';
export { type ResolutionBacklog, readGrantsOfIntent, readResolutionBacklog } from './listing.ts';
export { lookBack } from './request-store.ts';
export { ResolutionConsumer } from './resolution-consumer.ts';
export { Resolver } from './resolver.ts';
