/** Front door of the browser script, for the server that serves it. */
import { buildOffThread } from './build/off-thread.ts';
import { once } from './build/once.ts';

export type { BuiltScripts } from './build/build.ts';
export { defaultNames, nameLoader, type ScriptNames } from './build/names.ts';
export { once } from './build/once.ts';
export { type ScriptSizes, sizeLimits, sizesOf } from './build/sizes.ts';

/**
 * Built once for the process, at the first call; takes a second, in which the process goes on with everything else.
 *
 * @throws when a file does not compile; the next call tries again.
 */
export const buildScripts = once(buildOffThread);
