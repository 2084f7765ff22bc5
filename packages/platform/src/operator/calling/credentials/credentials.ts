import type { OperatorAuth } from '../../../brands/index.ts';
import { OAuthCredentials, type TokenRequest } from './oauth.ts';

/** One scheme by which the platform authenticates to the operator. All pass the conformance suite in `conformance.test.ts`. */
export interface Credentials {
  /**
   * The headers of the next call.
   *
   * @throws {NoToken} if there is none.
   */
  headers(): Promise<Record<string, string>>;
  /**
   * Called when the operator answered 401 to these headers. Returns true if other headers may be available, so that one repeat
   * makes sense.
   */
  refused(headers: Record<string, string>): boolean;
}

export function credentialsFor(auth: OperatorAuth, requestToken: TokenRequest): Credentials {
  switch (auth.type) {
    case 'api_key':
      return fixed({ [auth.header]: auth.value });
    case 'basic':
      return fixed({ authorization: basicAuthorization(auth.username, auth.password) });
    case 'oauth2':
      return new OAuthCredentials(requestToken);
    default:
      throw new Error(
        `unknown operator authentication ${JSON.stringify((auth satisfies never as { type: string }).type)}`,
      );
  }
}

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

function fixed(headers: Record<string, string>): Credentials {
  return { headers: async () => headers, refused: () => false };
}
