import { basePath } from '../../src/console/routing/endpoint.ts';
import type { Answer, TestConsole } from './setup-console.ts';

/**
 * Posts to the console API. Each call comes from another network, because the API slows down a network with many failures, and
 * measures that delay by the real clock.
 */
export function postFromElsewhere({ app }: Pick<TestConsole, 'app'>) {
  let calls = 0;
  return async (path: string, payload: object, token: string | null = null): Promise<Answer> => {
    calls += 1;
    const answer = await app.inject({
      method: 'POST',
      url: `${basePath}${path}`,
      remoteAddress: `10.0.${calls >> 8}.${calls & 255}`,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      payload,
    });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
}
