/** Public exports of the demo; see README.md. */
export { giveDemo } from './give.ts';
