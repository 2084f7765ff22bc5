/** Public interface of this folder: the players that a bulk action, or the start of a campaign, reaches. */

export {
  type Audience,
  audienceNamed,
  audienceOf,
  countAudience,
  listAudience,
  sampleAudience,
  stillIn,
} from './audience.ts';
