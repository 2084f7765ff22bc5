import type { IncomingMessage } from 'node:http';
import type { Brand } from '../../brands/index.ts';
import { isListedOrigin } from '../api/listed-origin.ts';
import type { CloseReason } from './close-codes.ts';

export const socketPath = '/app/';

/**
 * @param brandOf finds a brand by its key, which is its code. @param publicOrigin the origin of our own pages, which
 * need not be listed.
 */
export interface HandshakeDeps {
  brandOf(key: string): Brand | undefined;
  publicOrigin: string;
}

/** The brand of a handshake, or the reason why the socket is closed again: a close code is more specific than an HTTP status. */
export function readHandshake(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  { brandOf, publicOrigin }: HandshakeDeps,
): { brand: Brand; refused?: never } | { brand?: never; refused: CloseReason } {
  const [path = '', query = ''] = url.split('?');
  const key = path.slice(socketPath.length).replace(/\/$/, '');
  if (!path.startsWith(socketPath) || key === '' || key.includes('/')) return { refused: 'unknown_path' };
  const brand = brandOf(key);
  if (brand === undefined) return { refused: 'unknown_key' };
  const refused = refusedProtocol(new URLSearchParams(query).get('protocol'));
  if (refused !== null) return { refused };
  return mayConnect(headers.origin, brand, publicOrigin) ? { brand } : { refused: 'wrong_origin' };
}

function refusedProtocol(protocol: string | null): CloseReason | null {
  if (protocol === null || protocol === '') return 'missing_protocol';
  if (!/^\d{1,4}$/.test(protocol)) return 'wrong_version';
  return Number(protocol) === 7 ? null : 'unsupported_protocol';
}

/**
 * Browsers send the page's origin in every handshake, and no page can change it. Apps and servers send none. So the origin of a
 * page must be in the same list as for its calls. Apps need no entry.
 *
 * This check protects no secret: a socket has no cookie, and subscribing needs a proof that only a call of a listed page can
 * get. It keeps unknown pages from holding sockets, and reports to a page that it is not listed.
 */
function mayConnect(origin: string | undefined, brand: Brand, publicOrigin: string): boolean {
  return origin === undefined || origin === publicOrigin || isListedOrigin(origin, brand);
}
