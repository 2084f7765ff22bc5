import { describe, expect, test } from 'vitest';
import { OAuthCredentials, type Token } from './oauth.ts';

function setup(life: number | undefined = 3600) {
  let now = 0;
  const asked: PromiseWithResolvers<Token>[] = [];
  const credentials = new OAuthCredentials(
    () => {
      const answer = Promise.withResolvers<Token>();
      asked.push(answer);
      return answer.promise;
    },
    () => now,
  );
  const answer = (n: number) => asked[n]?.resolve({ access_token: `token-${n}`, expires_in: life });
  return { credentials, asked, answer, at: (ms: number) => (now = ms) };
}

const bearer = (n: number) => ({ authorization: `Bearer token-${n}` });

describe('one token for all', () => {
  test('concurrent callers cause one request', async () => {
    const { credentials, asked, answer } = setup();
    const waiting = Promise.all([credentials.headers(), credentials.headers(), credentials.headers()]);
    answer(0);
    expect(await waiting).toEqual([bearer(0), bearer(0), bearer(0)]);
    expect(asked).toHaveLength(1);
  });

  test('a token is used until shortly before it expires', async () => {
    const { credentials, asked, answer, at } = setup(3600);
    const first = credentials.headers();
    answer(0);
    await first;
    at(3_569_999);
    expect(await credentials.headers()).toEqual(bearer(0));
    at(3_570_000);
    const second = credentials.headers();
    answer(1);
    expect(await second).toEqual(bearer(1));
    expect(asked).toHaveLength(2);
  });

  test('concurrent refusals of one old token cause one renewal', async () => {
    const { credentials, asked, answer } = setup();
    const first = credentials.headers();
    answer(0);
    const old = await first;
    expect(credentials.refused(old)).toBe(true);
    const second = credentials.headers();
    answer(1);
    await second;
    expect(credentials.refused(old)).toBe(true);
    expect(await credentials.headers()).toEqual(bearer(1));
    expect(asked).toHaveLength(2);
  });

  test('a failed request is repeated after one second', async () => {
    const { credentials, asked, answer, at } = setup();
    const first = credentials.headers();
    asked[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    at(999);
    await expect(credentials.headers()).rejects.toThrow('no');
    expect(asked).toHaveLength(1);
    at(1_000);
    const second = credentials.headers();
    answer(1);
    expect(await second).toEqual(bearer(1));
  });

  test('a token without expires_in is renewed after five minutes', async () => {
    const { credentials, answer, at, asked } = setup(undefined);
    const first = credentials.headers();
    asked[0]?.resolve({ access_token: 'token-0', expires_in: undefined });
    await first;
    at(269_999);
    expect(await credentials.headers()).toEqual(bearer(0));
    at(270_000);
    const second = credentials.headers();
    answer(1);
    expect(await second).toEqual(bearer(1));
  });
});
