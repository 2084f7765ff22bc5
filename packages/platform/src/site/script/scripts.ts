import { type BuiltScripts, buildScripts, defaultNames, nameLoader, type ScriptNames } from '@croupier/browser';
import { type ScriptFile, scriptFile } from './script-file.ts';

/** Loaders with names of their own that are kept compressed; one brand has one, which changes when the setting does. */
const maxLoaders = 500;

/**
 * The files of the browser script, ready to be sent. Built at the first call: a process that serves no site spends nothing on it,
 * and a test of the build (packages/browser) keeps it from failing here.
 */
export class Scripts {
  readonly #loaders = new Map<string, Promise<ScriptFile>>();
  readonly #others = new Map<'app' | 'pushWorker', Promise<ScriptFile>>();

  /** @param names of the brand; default those of the interface. */
  loader(names: ScriptNames = defaultNames): Promise<ScriptFile> {
    const key = JSON.stringify(names);
    const known = this.#loaders.get(key);
    if (known !== undefined) return known;
    const made = this.#made(({ loader }) => nameLoader(loader, names));
    if (this.#loaders.size >= maxLoaders) this.#loaders.clear();
    this.#loaders.set(key, made);
    return made;
  }

  app(): Promise<ScriptFile> {
    return this.#other('app');
  }

  pushWorker(): Promise<ScriptFile> {
    return this.#other('pushWorker');
  }

  /** `app-<hash>.js`, as the loaders of this version ask for it. */
  async appFile(): Promise<string> {
    return (await buildScripts()).appFile;
  }

  #other(name: 'app' | 'pushWorker'): Promise<ScriptFile> {
    const made = this.#others.get(name) ?? this.#made((built) => built[name]);
    this.#others.set(name, made);
    return made;
  }

  async #made(text: (built: BuiltScripts) => string): Promise<ScriptFile> {
    return scriptFile(text(await buildScripts()));
  }
}
