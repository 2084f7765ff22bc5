import type { Pool } from 'pg';

interface Watch {
  text: RegExp;
  act: (statement: string) => Promise<void>;
}

/**
 * Returns a pool with a hook, for tests in which two transactions interleave. The hook runs once: right after the first statement
 * that matches the text, and before the caller of the statement continues.
 */
export function watchedPool(pool: Pool): {
  pool: Pool;
  onQuery: (text: RegExp, act: (statement: string) => Promise<void>) => void;
} {
  let watch: Watch | undefined;
  const watchedQuery = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const result: unknown = await Reflect.apply(value, target, args);
          if (name === 'connect') return watchedQuery(result as object);
          if (name !== 'query' || !watch?.text.test(textOf(args[0]))) return result;
          const { act } = watch;
          watch = undefined;
          await act(textOf(args[0]));
          return result;
        };
      },
    });
  return {
    pool: watchedQuery(pool),
    onQuery: (text, act) => {
      watch = { text, act };
    },
  };
}

/** The text of a plain or a named statement. */
function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : String((statement as { text?: unknown } | undefined)?.text);
}
