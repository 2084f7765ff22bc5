import { isIP } from 'node:net';

/** The site that passkeys belong to: browsers use a passkey only at the host for which it was made. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** @returns null at an address without a name: browsers refuse passkeys there. Pure. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return isAddress ? null : { id: hostname, origin };
}
