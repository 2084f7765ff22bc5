import { setTimeout as delay } from 'node:timers/promises';
import type { Installation } from './installation.ts';

/** The console API of an installation, called with the admin token as automation does. */
export interface Console {
  /**
   * @param path below `/api/console/v1/brands/<brand>/`
   * @returns the answer's body; undefined for 404
   * @throws for any other status than 2xx and 404
   */
  get<T>(path: string): Promise<T | undefined>;
  /** All items of a list, over all its pages. */
  list<T>(path: string): Promise<T[]>;
  /**
   * @param key sent as Idempotency-Key: repeating the same order creates nothing new
   * @throws for any other status than 2xx
   */
  post<T>(path: string, body: unknown, key?: string): Promise<T>;
  /** @throws for any other status than 2xx */
  put<T>(path: string, body: unknown): Promise<T>;
  /**
   * Posts until it is answered 2xx, as careful automation would: an api process may be killed between its commit and its
   * answer. With the key, or if the call is idempotent, the repetition changes nothing.
   *
   * @throws if there is no success within three minutes
   */
  insist<T>(path: string, body: unknown, key?: string): Promise<T>;
}

/** The longest page of the console API. */
const pageItems = 200;
const pauseMs = 200;
/** A killed api process is restarted within 5 s; on a shared machine it takes 20 s to be ready. */
const maxWaitMs = 180_000;

export function consoleOf({ url, adminToken, brandCode }: Installation): Console {
  const base = `${url}/api/console/v1/brands/${brandCode}/`;
  const authorization = `Bearer ${adminToken}`;
  async function get<T>(path: string): Promise<T | undefined> {
    const answer = await fetch(base + path, { headers: { authorization } });
    const text = await answer.text();
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`GET ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
  async function write<T>(method: 'POST' | 'PUT', path: string, body: unknown, key?: string): Promise<T> {
    const headers = {
      authorization,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
  const post = <T>(path: string, body: unknown, key?: string) => write<T>('POST', path, body, key);
  return {
    get,
    post,
    put: (path, body) => write('PUT', path, body),
    async insist<T>(path: string, body: unknown, key?: string) {
      const deadline = performance.now() + maxWaitMs;
      for (;;) {
        try {
          return await post<T>(path, body, key);
        } catch (error) {
          if (performance.now() > deadline) throw error;
          await delay(pauseMs);
        }
      }
    },
    async list<T>(path: string) {
      const items: T[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: string = `limit=${pageItems}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
        const page: { items: T[]; next: string | null } | undefined = await get(
          `${path}${path.includes('?') ? '&' : '?'}${query}`,
        );
        items.push(...(page?.items ?? []));
        cursor = page?.next ?? null;
      }
      return items;
    },
  };
}
