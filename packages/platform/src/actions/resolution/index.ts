/** Resolution of intents by bonus events. See README.md. */
export { type ResolutionBacklog, readGrantsOfIntent, readResolutionBacklog } from './listing.ts';
export { lookBack } from './request-store.ts';
export { ResolutionConsumer } from './resolution-consumer.ts';
export { Resolver } from './resolver.ts';
