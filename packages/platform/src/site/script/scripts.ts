import { type BuiltScripts, buildScripts, defaultNames, nameLoader, once, type ScriptNames } from '@croupier/browser';
import { type ScriptFile, scriptFile } from './script-file.ts';

/** Loaders with names of their own that are kept compressed; one brand has one, which changes when the setting does. */
const maxLoaders = 500;

/**
 * The files of the browser script, ready to be sent. Built at the first call, in a thread of its own: a process that serves no site spends
 * nothing on it, and one that does answers its players meanwhile. A build that fails is an error of those who asked, and
 * is tried again for the next.
 */
export class Scripts {
  readonly #build: () => Promise<BuiltScripts>;
  readonly #loaders = new Map<string, () => Promise<ScriptFile>>();
  readonly app = this.#made(({ app }) => app);
  readonly pushWorker = this.#made(({ pushWorker }) => pushWorker);

  constructor(build: () => Promise<BuiltScripts> = buildScripts) {
    this.#build = build;
  }

  /** @param names of the brand; default those of the interface. */
  loader(names: ScriptNames = defaultNames): Promise<ScriptFile> {
    const key = JSON.stringify(names);
    const known = this.#loaders.get(key);
    if (known !== undefined) return known();
    const made = this.#made(({ loader }) => nameLoader(loader, names));
    if (this.#loaders.size >= maxLoaders) this.#loaders.clear();
    this.#loaders.set(key, made);
    return made();
  }

  /** `app-<hash>.js`, as the loaders of this version ask for it. */
  async appFile(): Promise<string> {
    return (await this.#build()).appFile;
  }

  #made(text: (built: BuiltScripts) => string): () => Promise<ScriptFile> {
    return once(async () => scriptFile(text(await this.#build())));
  }
}
