import type { Configuration, CustomFetch } from 'openid-client';
import { Agent, fetch } from 'undici';
import type { SingleSignOnSettings } from '../../../config/index.ts';
import { guardedConnector } from '../../../operator/calling/index.ts';
import { type Person, personOf } from './claims.ts';

/*
 * The provider of OpenID Connect: authorization code flow with PKCE, state and nonce. The library checks the ID token with the keys
 * of the provider: signature, issuer, audience, times and nonce.
 *
 * The provider's addresses come from the configuration and from its own description. The provider, like an operator, may run in a
 * private network, but Croupier never calls the metadata address of a cloud. Redirects are not followed.
 *
 * The library is loaded with the first sign-in, so installations without single sign-on do not spend its memory.
 */
const library = () => import('openid-client');

const connectTimeoutMs = 5_000;
const callTimeoutSeconds = 10;
const largestAnswer = 1024 * 1024;
/** After this time, the description of the provider is read again. */
const descriptionMs = 3_600_000;
const deadMs = 60_000;

/** Secrets that must be kept from the start of a sign-in until its answer. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Why the provider's answer does not sign the person in. */
export type ProviderFailure = 'unreachable' | 'cancelled' | 'rejected';

export class ProviderFailed extends Error {
  override name = 'ProviderFailed';
  readonly reason: ProviderFailure;
  constructor(reason: ProviderFailure, cause: unknown) {
    super(`single sign-on: ${reason}`, { cause });
    this.reason = reason;
  }
}

export class Provider {
  readonly settings: SingleSignOnSettings;
  readonly #redirectUri: string;
  readonly #signInPage: string;
  readonly #monotonic: () => number;
  readonly #agent = new Agent({
    connect: guardedConnector(connectTimeoutMs),
    headersTimeout: callTimeoutSeconds * 1_000,
    bodyTimeout: callTimeoutSeconds * 1_000,
    maxResponseSize: largestAnswer,
    keepAliveTimeout: 1_000,
  });
  #deadUntil = 0;
  #described: { configuration: Promise<Configuration>; until: number } | null = null;

  constructor(
    settings: SingleSignOnSettings,
    { publicUrl, monotonic = () => performance.now() }: { publicUrl: string; monotonic?: () => number },
  ) {
    this.settings = settings;
    this.#redirectUri = `${publicUrl}/console/sign-in/answer`;
    this.#signInPage = `${publicUrl}/console/sign-in`;
    this.#monotonic = monotonic;
  }

  /** Starts a sign-in. @throws {ProviderFailed} */
  async begin(): Promise<{ url: string; checks: Checks }> {
    const configuration = await this.#configuration();
    const client = await library();
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: this.settings.scopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, checks };
  }

  /**
   * Exchanges the code for what the provider says about the person.
   *
   * @param answer the parameters with which the provider sent the browser back
   * @throws {ProviderFailed}
   */
  async finish(answer: URLSearchParams, { state, nonce, verifier }: Checks): Promise<Person> {
    if (answer.get('error') === 'access_denied') throw new ProviderFailed('cancelled', answer.get('error_description'));
    const configuration = await this.#configuration();
    const client = await library();
    const url = new URL(this.#redirectUri);
    url.search = answer.toString();
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(configuration, url, checks);
      const idToken = tokens.claims();
      if (idToken === undefined) throw new Error('the provider sent no ID token');
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = hasUserInfo ? await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub) : {};
      return personOf(idToken, userInfo, this.settings);
    } catch (error) {
      throw new ProviderFailed(isOfNetwork(error) ? 'unreachable' : 'rejected', error);
    }
  }

  /** The address for signing out at the provider, too. @returns null if the provider does not offer that, or cannot be reached */
  async signOutUrl(): Promise<string | null> {
    // Every page requests this address, and must not wait each time if the provider does not answer.
    if (this.#monotonic() < this.#deadUntil) return null;
    const configuration = await this.#configuration().catch(() => null);
    if (configuration === null || configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const { buildEndSessionUrl } = await library();
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: this.#signInPage }).href;
  }

  async stop(): Promise<void> {
    await this.#agent.destroy();
  }

  async #configuration(): Promise<Configuration> {
    const now = this.#monotonic();
    if (this.#described === null || this.#described.until <= now) {
      this.#described = { configuration: this.#discover(), until: now + descriptionMs };
    }
    const described = this.#described;
    try {
      return await described.configuration;
    } catch (error) {
      if (this.#described === described) this.#described = null;
      this.#deadUntil = this.#monotonic() + deadMs;
      throw new ProviderFailed('unreachable', error);
    }
  }

  async #discover(): Promise<Configuration> {
    const client = await library();
    const { issuer, client_id, client_secret } = this.settings;
    const agent = this.#agent;
    // undici and the library each have their own types for the same things.
    const guardedFetch = ((url: string, options: object) =>
      fetch(url, { ...options, dispatcher: agent })) as unknown as CustomFetch;
    return client.discovery(
      new URL(issuer),
      client_id,
      {},
      client_secret === undefined ? client.None() : client.ClientSecretPost(client_secret),
      {
        [client.customFetch]: guardedFetch,
        timeout: callTimeoutSeconds,
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    );
  }
}

/** undici throws a `TypeError` if a connection fails, and an error named `TimeoutError` after a timeout. */
function isOfNetwork(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown };
  if (name === 'TimeoutError' || code === 'OAUTH_TIMEOUT') return true;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  return cause instanceof Error && isOfNetwork(cause);
}
