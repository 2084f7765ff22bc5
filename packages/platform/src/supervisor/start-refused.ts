/** A start that failed because of something that a person can correct. The message says what is wrong and what to do. */
export class StartRefused extends Error {
  override name = 'StartRefused';
}
