import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/*
 * A script as it is served: compressed once, when it is first asked for, as hard as it goes. 15 KB take some 30 ms that way.
 */
export interface ScriptFile {
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
  /** Of the text; each encoding has one of its own, as caches must not take one for the other. */
  hash: string;
}

export type Encoding = 'br' | 'gzip' | 'plain';

const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)];

export async function scriptFile(text: string): Promise<ScriptFile> {
  const plain = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [zipped, br] = await Promise.all([gzipped(plain, { level: 9 }), brotlied(plain, { params })]);
  return { plain, gzip: zipped, br, hash: createHash('sha256').update(plain).digest('base64url').slice(0, 16) };
}

/** The smallest that the caller takes (RFC 9110, 12.5.3); what it refuses with q=0 it does not get. */
export function encodingFor(accepted: string | undefined): Encoding {
  const takes = (name: string) =>
    (accepted ?? '').split(',').some((part) => {
      const [coding, ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
      return coding === name && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
    });
  return (['br', 'gzip'] as const).find(takes) ?? 'plain';
}

export function etagOf({ hash }: ScriptFile, encoding: Encoding): string {
  return `"${hash}-${encoding}"`;
}

/** If-None-Match; a proxy may have made the tag a weak one. */
export function isKnown(tag: string, given: string | undefined): boolean {
  return (given ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === tag || one.trim() === '*');
}
