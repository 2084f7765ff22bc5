import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A script as it is served. It is compressed once, at its first request, with the highest level. 15 KB take about 30 ms. */
export interface ScriptFile {
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
  /** The hash of the text. Each encoding has its own tag, because caches must not confuse them. */
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

/** The smallest encoding that the caller accepts (RFC 9110, 12.5.3); q=0 excludes an encoding. */
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

/** Evaluates If-None-Match; a proxy may have made the tag weak. */
export function isKnown(tag: string, given: string | undefined): boolean {
  return (given ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === tag || one.trim() === '*');
}
