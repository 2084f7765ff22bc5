/** Public exports of the site stage that need no HTTP server; see README.md. `serving.ts` has the others. */
export { TrackedUpkeep } from './player/tracked-upkeep.ts';
export { endExcluded } from './session/end-excluded.ts';
export { judgeSidAnswer } from './session/judge-answer.ts';
export { LogoutConsumer } from './session/logout-consumer.ts';
export { SessionUpkeep } from './session/session-upkeep.ts';
