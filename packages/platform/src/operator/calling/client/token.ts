import type { Pool } from 'undici';
import type { OperatorAuth } from '../../../brands/index.ts';
import { basicAuthorization } from '../credentials/credentials.ts';
import type { Token } from '../credentials/oauth.ts';
import { NoToken } from './failures.ts';
import { readAtMost, withDeadline } from './limits.ts';

type OAuthSettings = Extract<OperatorAuth, { type: 'oauth2' }>;

/** A token answer has a few hundred bytes, or a few thousand with a long JWT. */
const maxTokenAnswer = 64 * 1024;

/**
 * Makes one client_credentials request (RFC 6749, 4.4.2). The client identifies itself with HTTP Basic, which every server must
 * support.
 */
export async function askForToken(pool: Pool, url: URL, auth: OAuthSettings, timeoutMs: number): Promise<Token> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (auth.scope !== undefined) form.set('scope', auth.scope);
  // RFC 6749, 2.3.1: name and secret are form-encoded before they become Basic credentials.
  const [name, secret] = [encodeURIComponent(auth.client_id), encodeURIComponent(auth.client_secret)];
  return withDeadline(timeoutMs, async (signal) => {
    const response = await pool.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        accept: 'application/json',
        'cache-control': 'no-store',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basicAuthorization(name, secret),
      },
      body: form.toString(),
      signal,
    });
    return readToken(response.statusCode, await readAtMost(response.body, maxTokenAnswer));
  });
}

/**
 * Reads a token answer (RFC 6749, 5.1). @throws {NoToken} for anything but a bearer token; never quotes the answer, which may
 * contain secrets.
 */
export function readToken(status: number, body: Buffer): Token {
  if (status !== 200) throw new NoToken(`the token endpoint answered ${status}`);
  const { access_token, expires_in } = parse(body);
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token))
    throw new NoToken('the token endpoint answered 200 without an access_token');
  const seconds = Number(expires_in ?? Number.NaN);
  return { access_token, expires_in: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined };
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'));
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>;
  } catch {
    // The error below covers this case.
  }
  throw new NoToken('the token endpoint answered 200 without a JSON object');
}
