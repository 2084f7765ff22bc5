/** Public interface of the room: the players that a bulk action, or the start of a campaign, reaches. */

export { type Audience, audienceNamed, audienceOf, countAudience, listAudience, stillIn } from './audience.ts';
