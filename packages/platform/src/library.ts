import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A library that is loaded at its first use. Use it for libraries of functions that many processes never run, such as e-mail
 * and push: their modules cost 2 to 12 MB of memory in each process. The first use takes up to 0.1 s.
 *
 * @returns a function that returns the library
 */
export function library<Library>(name: string): () => Library {
  let loaded: Library | undefined;
  return () => {
    loaded ??= require(name) as Library;
    return loaded;
  };
}
