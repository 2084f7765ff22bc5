/** Public exports of tracking, a part of the channels. */
export { type LinkedWords, linksOf, type Tracking, tracked } from './links.ts';
export { mayTrack, type TrackedPlayer } from './may-track.ts';
export { readTrackedEmail, type TrackedEmail } from './store.ts';
