import { isIP } from 'node:net';

/** The site to which passkeys belong: browsers use a passkey only at the host for which it was created. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** @returns null for an address without a host name, because browsers refuse passkeys there. Pure. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return isAddress ? null : { id: hostname, origin };
}
