/** Public exports of tracking, a part of the channels. */
export { isOwnLink, type LinkedWords, linksOf, type Tracking, tracked } from './links.ts';
export { mayTrack, type TrackedChannel, type TrackedPlayer } from './may-track.ts';
export { readTrackedMessage, type TrackedMessage } from './store.ts';
