/** Front door of the tracking within the channels. */
export { type LinkedWords, linksOf, type Tracking, tracked } from './links.ts';
export { mayTrack, type TrackedPlayer } from './may-track.ts';
export { readTrackedEmail, type TrackedEmail } from './store.ts';
