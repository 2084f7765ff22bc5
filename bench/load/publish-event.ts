import type { BenchPlatform } from '../platform.ts';

/** Publishes one event as the operator does. @throws for any answer other than 2xx */
export async function publishEvent(
  { port, key }: Pick<BenchPlatform, 'port' | 'key'>,
  path: `/${'v1' | 'v2'}/integration/${string}`,
  body: object,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
