/** Front door of the browser script, for the server that serves it. */
import { type BuiltScripts, buildFiles } from './build/build.ts';

export type { BuiltScripts } from './build/build.ts';
export { defaultNames, nameLoader, type ScriptNames } from './build/names.ts';
export { type ScriptSizes, sizeLimits, sizesOf } from './build/sizes.ts';

let built: Promise<BuiltScripts> | undefined;

/** Built once for the process, at the first call. @throws when a file does not compile. */
export function buildScripts(): Promise<BuiltScripts> {
  built ??= buildFiles();
  return built;
}
