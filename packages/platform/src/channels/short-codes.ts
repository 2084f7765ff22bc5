import { createHmac, hkdfSync } from 'node:crypto';
import { fromBase62, toBase62 } from '../base62.ts';

/*
 * The code of a link in an SMS: 13 letters and digits. It is the number of the message and the position of the link, enciphered as
 * one number of 76 bits. Every code is such a number, but only numbers that begin with 20 zero bits are links. So guessing a link
 * is as unlikely as with stored random codes, and a code needs no row (docs/decisions/1272).
 *
 *   1 | enciphered (20 zero bits | message_id, 48 bits | place, 8 bits)     in base62
 *
 * The leading 1 gives all codes the same length, so the parts of an SMS can be counted before its message exists.
 *
 * The cipher is a Feistel network of ten rounds, as in FF1 (NIST SP 800-38G), with HMAC-SHA256 as its round function.
 */
export interface NamedLink {
  message_id: number;
  /** The position of the link among those of its message, from 1. */
  place: number;
}

/** No SMS has more: a link has at least 8 characters, and an SMS at most 1600. */
const mostPlaces = 255;
const rounds = 10;
const halfBits = 38n;
const halfMask = (1n << halfBits) - 1n;
const leadingOne = 1n << (2n * halfBits);
const placeBits = 8n;
const idBits = 48n;
const codeBytes = 10;

/** Used to count the parts of an SMS whose message does not exist. It has the length of a code, and is not a link. */
export const sampleCode = 'preview'.padEnd(13, 'x');

export function shortCodeKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'croupier message short click', 32));
}

export function writeShortCode(key: Buffer, { message_id, place }: NamedLink): string {
  const id = BigInt(message_id);
  if (id >> idBits !== 0n || place < 1 || place > mostPlaces)
    throw new Error(`the link ${place} of the message ${message_id} cannot have a short code`);
  const number = leadingOne | encipher(key, (id << placeBits) | BigInt(place));
  return toBase62(Buffer.from(number.toString(16).padStart(2 * codeBytes, '0'), 'hex'));
}

/** Null if this key did not write the code. */
export function readShortCode(key: Buffer, code: string): NamedLink | null {
  const bytes = fromBase62(code);
  if (bytes?.length !== codeBytes) return null;
  const number = BigInt(`0x${bytes.toString('hex')}`);
  if (number >> (2n * halfBits) !== 1n) return null;
  const plain = decipher(key, number - leadingOne);
  const place = Number(plain & ((1n << placeBits) - 1n));
  const id = plain >> placeBits;
  return id >> idBits === 0n && place > 0 ? { message_id: Number(id), place } : null;
}

function encipher(key: Buffer, number: bigint): bigint {
  let [left, right] = [number >> halfBits, number & halfMask];
  for (let round = 0; round < rounds; round++) [left, right] = [right, left ^ mixed(key, round, right)];
  return (left << halfBits) | right;
}

function decipher(key: Buffer, number: bigint): bigint {
  let [left, right] = [number >> halfBits, number & halfMask];
  for (let round = rounds - 1; round >= 0; round--) [left, right] = [right ^ mixed(key, round, left), left];
  return (left << halfBits) | right;
}

function mixed(key: Buffer, round: number, half: bigint): bigint {
  const block = Buffer.alloc(9);
  block.writeUInt8(round);
  block.writeBigUInt64BE(half, 1);
  return createHmac('sha256', key).update(block).digest().readBigUInt64BE() & halfMask;
}
