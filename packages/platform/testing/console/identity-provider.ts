import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { afterAll } from 'vitest';

/** What the provider knows of a person; the subject is their name in `people`. */
export interface PersonThere {
  email?: string;
  email_verified?: boolean;
  groups?: string[];
  /** How they sign in there. */
  amr?: string[];
  acr?: string;
}

export interface IdentityProvider {
  issuer: string;
  client: { client_id: string; client_secret: string };
  /** May be changed during a test. */
  people: Record<string, PersonThere>;
  /** Signs a person in, as their browser would. @returns the query with which the provider sends the browser back */
  signIn(url: string, name: string): Promise<string>;
}

const client = { client_id: 'croupier', client_secret: 'a secret between the two' };

/** Starts oidc-provider on a port of this machine. Its sign-in page asks only for a name. It stops at the end of the test file. */
export async function setupIdentityProvider(
  publicUrl: string,
  people: Record<string, PersonThere>,
): Promise<IdentityProvider> {
  const handler: { of?: (request: IncomingMessage, response: ServerResponse) => unknown } = {};
  const server = createServer((request, response) => void handler.of?.(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...client,
        redirect_uris: [`${publicUrl}/console/sign-in/answer`],
        post_logout_redirect_uris: [`${publicUrl}/console/sign-in`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub', 'amr', 'acr'], profile: ['groups'], email: ['email', 'email_verified'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['a key for the cookies of tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people[sub] }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId;
      const clientId = oidc.client?.clientId;
      if (accountId === undefined || clientId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ accountId, clientId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  handler.of = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    if (request.method !== 'POST') return void response.setHeader('content-type', 'text/html').end(page);
    const form = new URLSearchParams(await text(request));
    if (form.has('cancel')) {
      const result = { error: 'access_denied', error_description: 'the person cancelled' };
      return provider.interactionFinished(request, response, result);
    }
    const accountId = form.get('name') ?? '';
    const { amr, acr } = people[accountId] ?? {};
    const login = { accountId, ...(amr && { amr }), ...(acr && { acr }) };
    await provider.interactionFinished(request, response, { login });
  };
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { issuer, client, people, signIn: (url, name) => asBrowser(url, name) };
}

const page = `<!doctype html><html lang="en"><title>Provider</title><form method="post">
<label>Name <input name="name"></label><button>Enter</button><button name="cancel" value="1">Cancel</button></form></html>`;

/** Follows the redirects with cookies, and fills in the page. */
async function asBrowser(url: string, name: string): Promise<string> {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  const form = new URLSearchParams(name === '' ? { cancel: '1' } : { name });
  let next = { url, method: 'GET' };
  for (let step = 0; step < 10; step++) {
    const answer = await fetch(next.url, {
      method: next.method,
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(next.method === 'POST' && { body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(key, value);
    }
    const location = answer.headers.get('location');
    if (location === null) {
      if (answer.status !== 200) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
      next = { url: next.url, method: 'POST' };
      continue;
    }
    const to = new URL(location, origin);
    if (to.origin !== origin) return to.search.slice(1);
    next = { url: to.href, method: 'GET' };
  }
  throw new Error('the provider does not send the browser back');
}
