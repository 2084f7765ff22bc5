import { constants as zlib, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { kindCode, kindOfCode } from './kind-codes.ts';
import type { LedgerEntry } from './ledger.ts';

/*
 * The bytes of one block: a format byte, then one frame per event, compressed as a whole if that saves space.
 *
 *   format   u8    0 = frames follow as they are, 1 = frames follow as one zstd stream
 *   frame    u8    kind (kind-codes.ts)
 *            u32   brand_id
 *            u64   player_hash
 *            f64   received_at, in microseconds (exact below 2^53)
 *            u32   length of the body
 *            ...   the body, as the operator sent it
 *
 * A frame of kind 255 with zeros in its other fields replaces an erased event (erase.ts), so that the others keep their index in the block.
 *
 * Why blocks are compressed: 256 casino events are 91 KB plain and 6 KB at zstd level 1, for 0.4 microseconds per
 * event; the database then writes, syncs and stores 6 KB. Each call of the compressor costs 35 microseconds regardless of
 * the size, which is more than it saves on a block of a few events. So small blocks stay plain until closed days are packed.
 */

const plainFormat = 0;
const zstdFormat = 1;
/** No kind has this code. */
const erasedCode = 255;
const headerBytes = 1 + 4 + 8 + 8 + 4;
const compressFromBytes = 4096;

/** The bytes that an entry takes in a block before compression. */
export function frameBytes(entry: LedgerEntry): number {
  return headerBytes + entry.body.length;
}

/** @param entries null for erased events */
export function encodeBlock(entries: readonly (LedgerEntry | null)[]): Buffer {
  let size = 1;
  for (const entry of entries) size += entry === null ? headerBytes : frameBytes(entry);
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeUInt8(plainFormat, 0);
  for (const entry of entries) {
    if (entry === null) {
      bytes.fill(0, at, at + headerBytes).writeUInt8(erasedCode, at);
      at += headerBytes;
      continue;
    }
    at = bytes.writeUInt8(kindCode(entry.kind), at);
    at = bytes.writeUInt32LE(entry.brand_id, at);
    at = bytes.writeBigUInt64LE(entry.player_hash, at);
    at = bytes.writeDoubleLE(entry.received_at, at);
    at = bytes.writeUInt32LE(entry.body.length, at);
    at += entry.body.copy(bytes, at);
  }
  if (size < compressFromBytes) return bytes;
  const packed = zstdCompressSync(bytes.subarray(1), { params: { [zlib.ZSTD_c_compressionLevel]: 1 } });
  return Buffer.concat([Buffer.of(zstdFormat), packed]);
}

/**
 * The events of a block, each at its index; null for erased events.
 *
 * @throws {CorruptBlock} if the bytes are not those of a block; the caller names the block
 */
export function decodeBlock(payload: Buffer): (LedgerEntry | null)[] {
  const bytes = plainFrames(payload);
  const entries: (LedgerEntry | null)[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + headerBytes > bytes.length) throw new CorruptBlock(`a frame header is cut at byte ${at}`);
    const code = bytes.readUInt8(at);
    if (code === erasedCode) {
      entries.push(null);
      at += headerBytes;
      continue;
    }
    const kind = kindOfCode(code);
    if (kind === undefined) throw new CorruptBlock(`unknown event kind ${code} at byte ${at}`);
    const length = bytes.readUInt32LE(at + 21);
    const end = at + headerBytes + length;
    if (end > bytes.length) throw new CorruptBlock(`a body of ${length} bytes is cut at byte ${at}`);
    entries.push({
      kind,
      brand_id: bytes.readUInt32LE(at + 1),
      player_hash: bytes.readBigUInt64LE(at + 5),
      received_at: bytes.readDoubleLE(at + 13),
      body: bytes.subarray(at + headerBytes, end),
    });
    at = end;
  }
  return entries;
}

function plainFrames(payload: Buffer): Buffer {
  const format = payload[0];
  if (format === plainFormat) return payload.subarray(1);
  if (format === zstdFormat) {
    try {
      return zstdDecompressSync(payload.subarray(1));
    } catch (cause) {
      throw new CorruptBlock('the frames do not decompress', { cause });
    }
  }
  throw new CorruptBlock(`unknown block format ${format}`);
}

export class CorruptBlock extends Error {
  override name = 'CorruptBlock';
}
