import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The three schemes by which an operator protects its endpoints (docs/reference/interface.md, Authentication 1), in the form of
 * a brand's `operator.auth` setting, so that one object configures both sides. `none` is for a first test with curl.
 */
export type OperatorAuth =
  | { type: 'none' }
  | { type: 'api_key'; header?: string; value: string }
  | { type: 'basic'; username: string; password: string }
  | { type: 'oauth2'; client_id: string; client_secret: string; scope?: string; token_seconds?: number };

/** Lifetime of an OAuth token in seconds, unless the scheme sets one. */
const defaultTokenSeconds = 3600;
/** Maximum number of stored tokens. Above it, the oldest token is dropped, and calls with it are refused. */
const tokenLimit = 10_000;

export interface TokenAnswer {
  status: number;
  body: Record<string, unknown>;
}

export function createGate(auth: OperatorAuth, now: () => number) {
  const tokens = new Map<string, number>();

  function accepts(headers: IncomingHttpHeaders): boolean {
    switch (auth.type) {
      case 'none':
        return true;
      case 'api_key':
        return headers[(auth.header ?? 'X-API-Key').toLowerCase()] === auth.value;
      case 'basic':
        return headers.authorization === basic(auth.username, auth.password);
      case 'oauth2': {
        const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
        return token !== undefined && (tokens.get(token) ?? 0) > now();
      }
    }
  }

  /**
   * Issues a token by OAuth 2.0 client_credentials (RFC 6749, 4.4). The client's id and secret are in the body, or are sent
   * as HTTP Basic.
   */
  function token(headers: IncomingHttpHeaders, form: URLSearchParams): TokenAnswer {
    if (auth.type !== 'oauth2') return { status: 404, body: { error: 'this operator does not use OAuth 2.0' } };
    if (form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    const known =
      headers.authorization === basic(encodeURIComponent(auth.client_id), encodeURIComponent(auth.client_secret)) ||
      (form.get('client_id') === auth.client_id && form.get('client_secret') === auth.client_secret);
    if (!known) return { status: 401, body: { error: 'invalid_client' } };
    const asked = form.get('scope');
    if (auth.scope !== undefined && asked !== auth.scope) return { status: 400, body: { error: 'invalid_scope' } };

    const seconds = auth.token_seconds ?? defaultTokenSeconds;
    const value = randomBytes(24).toString('base64url');
    tokens.set(value, now() + seconds * 1000);
    if (tokens.size > tokenLimit) {
      for (const oldest of tokens.keys()) {
        tokens.delete(oldest);
        break;
      }
    }
    return {
      status: 200,
      body: { access_token: value, token_type: 'Bearer', expires_in: seconds, ...(asked ? { scope: asked } : {}) },
    };
  }

  return {
    accepts,
    token,
    /** Headers that carry credentials, in lower case. They are never recorded. */
    credentialHeaders: [
      'authorization',
      ...(auth.type === 'api_key' ? [(auth.header ?? 'X-API-Key').toLowerCase()] : []),
    ],
    /** Revokes every token issued so far, although clients still consider them valid. */
    expireTokens: () => tokens.clear(),
  };
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
