import { type BuiltScripts, buildScripts, defaultNames, nameLoader, once, type ScriptNames } from '@croupier/browser';
import { type ScriptFile, scriptFile } from './script-file.ts';

/** Maximum number of compressed loaders with custom names; a brand has one, which changes with the setting. */
const maxLoaders = 500;

/**
 * The files of the browser script, ready to be sent. They are built at the first call, in a separate thread. So a process
 * without a site does no work for them, and a process with a site can answer other calls in the meantime. If a build fails, its
 * callers get the error, and the next call tries again.
 */
export class Scripts {
  readonly #build: () => Promise<BuiltScripts>;
  readonly #loaders = new Map<string, () => Promise<ScriptFile>>();
  readonly app = this.#made(({ app }) => app);
  readonly pushWorker = this.#made(({ pushWorker }) => pushWorker);

  constructor(build: () => Promise<BuiltScripts> = buildScripts) {
    this.#build = build;
  }

  /** @param names of the brand; default: those of the interface */
  loader(names: ScriptNames = defaultNames): Promise<ScriptFile> {
    const key = JSON.stringify(names);
    const known = this.#loaders.get(key);
    if (known !== undefined) return known();
    const made = this.#made(({ loader }) => nameLoader(loader, names));
    if (this.#loaders.size >= maxLoaders) this.#loaders.clear();
    this.#loaders.set(key, made);
    return made();
  }

  /** `app-<hash>.js`, as requested by the loaders of this version. */
  async appFile(): Promise<string> {
    return (await this.#build()).appFile;
  }

  #made(text: (built: BuiltScripts) => string): () => Promise<ScriptFile> {
    return once(async () => scriptFile(text(await this.#build())));
  }
}
