import type { Installation } from './installation.ts';

/** The console API of an installation, called as automation does: with the admin token. */
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
   * @param key sent as Idempotency-Key: the same order again makes nothing new
   * @throws for any other status than 2xx
   */
  post<T>(path: string, body: unknown, key?: string): Promise<T>;
}

/** The longest page of the console API. */
const pageItems = 200;

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
  return {
    get,
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
    async post<T>(path: string, body: unknown, key?: string) {
      const headers = {
        ...{ authorization, 'content-type': 'application/json' },
        ...(key !== undefined && { 'idempotency-key': key }),
      };
      const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`POST ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
      return JSON.parse(text) as T;
    },
  };
}
