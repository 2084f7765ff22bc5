/** A start that failed because of something that a person can correct. The message states the problem and the correction. */
export class StartRefused extends Error {
  override name = 'StartRefused';
}
