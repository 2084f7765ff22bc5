/** Front door of the room: whom a bulk action reaches. */
export { type Audience, audienceOf, countAudience, listAudience, stillIn } from './audience.ts';
