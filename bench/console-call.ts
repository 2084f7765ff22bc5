import { adminToken, type BenchPlatform } from './platform.ts';

/** Calls the console API of the brand `bench` as automation does. @throws for any answer other than 2xx */
export async function consoleCall<Body>(
  { port }: Pick<BenchPlatform, 'port'>,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<Body> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/console/v1/brands/bench/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}
