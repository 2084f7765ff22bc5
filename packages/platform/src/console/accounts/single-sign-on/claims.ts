import type { SingleSignOnSettings } from '../../../config/index.ts';

/** What the provider says about the person who signed in there. */
export interface Person {
  issuer: string;
  subject: string;
  /** Null if the provider sends no e-mail, or does not confirm that it belongs to the person. */
  verifiedEmail: string | null;
  groups: readonly string[];
  /** They gave a second factor at the provider. */
  gaveSecondFactor: boolean;
}

export type Claims = Readonly<Record<string, unknown>>;

type ClaimSettings = Pick<SingleSignOnSettings, 'groups_claim' | 'trust_emails' | 'second_factor_acr'>;

/**
 * Reads the claims of the ID token and of the userinfo endpoint. Pure.
 *
 * Only the ID token states how the person signed in, because only it belongs to this sign-in.
 */
export function personOf(idToken: Claims, userInfo: Claims, settings: ClaimSettings): Person {
  const claims = { ...userInfo, ...idToken };
  // Both must come from the same source: `email_verified` of one source says nothing about the `email` of the other.
  const { email, email_verified } = idToken.email === undefined ? userInfo : idToken;
  const { iss, sub } = idToken;
  const isVerified = email_verified === true || (settings.trust_emails && email_verified === undefined);
  return {
    issuer: String(iss),
    subject: String(sub),
    verifiedEmail: typeof email === 'string' && isVerified ? email : null,
    groups: textsOf(claims[settings.groups_claim]),
    gaveSecondFactor:
      textsOf(idToken.amr).includes('mfa') ||
      (typeof idToken.acr === 'string' && settings.second_factor_acr.includes(idToken.acr)),
  };
}

/** One group may come as a text instead of a list. */
function textsOf(claim: unknown): string[] {
  const values = Array.isArray(claim) ? claim : [claim];
  return values.filter((value) => typeof value === 'string');
}

export interface NamedRole {
  brand: string | null;
  role: SingleSignOnSettings['roles'][string][number]['role'];
}

/** The roles of all groups, each once. @returns null if roles are given in the console. Pure. */
export function rolesOf(groups: readonly string[], roles: SingleSignOnSettings['roles']): NamedRole[] | null {
  if (Object.keys(roles).length === 0) return null;
  const held = groups.flatMap((group) => (Object.hasOwn(roles, group) ? (roles[group] ?? []) : []));
  return [...new Map(held.map((one) => [`${one.role} ${one.brand ?? ''}`, one])).values()];
}
