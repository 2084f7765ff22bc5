/** Public exports of the browser script, for the server that serves it. */
import { buildOffThread } from './build/off-thread.ts';
import { once } from './build/once.ts';

export type { BuiltScripts } from './build/build.ts';
export { defaultNames, nameLoader, type ScriptNames } from './build/names.ts';
export { once } from './build/once.ts';
export { type ScriptSizes, sizeLimits, sizesOf } from './build/sizes.ts';

/**
 * Builds once per process, at the first call. The build takes a second, and the process does its other work during this
 * time.
 *
 * @throws if a file does not compile; the next call tries again
 */
export const buildScripts = once(buildOffThread);
