/** Front door of the room: whom a bulk action, or the start of a campaign, reaches. */

export { type Audience, audienceNamed, audienceOf, countAudience, listAudience, stillIn } from './audience.ts';
