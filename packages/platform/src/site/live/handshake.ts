import type { IncomingMessage } from 'node:http';
import type { Brand } from '../../brands/index.ts';
import { isListedOrigin } from '../api/listed-origin.ts';
import type { CloseReason } from './close-codes.ts';

export const socketPath = '/app/';

/** @param brandOf by its key, which is its code. @param publicOrigin our own pages need not be listed. */
export interface HandshakeDeps {
  brandOf(key: string): Brand | undefined;
  publicOrigin: string;
}

/** Which brand a handshake is for; or why the socket is closed again, with a code that says it better than an HTTP status. */
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
 * Browsers name the page's origin in every handshake, and no page can change it; apps and servers send none. So a page must
 * be listed, by the same list as for its calls, and an app need not.
 *
 * It protects no secret: a socket carries no cookie, and subscribing needs a proof that only a listed page's call can
 * fetch. It keeps strangers' pages from holding sockets of ours, and a page that forgot to be listed hears it here.
 */
function mayConnect(origin: string | undefined, brand: Brand, publicOrigin: string): boolean {
  return origin === undefined || origin === publicOrigin || isListedOrigin(origin, brand);
}
