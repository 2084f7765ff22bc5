import { promisify } from 'node:util';
import { constants as zlib, zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { Micros } from '@croupier/contracts';
import { CorruptBlock } from './block.ts';
import { kindCode, kindOfCode } from './kind-codes.ts';
import type { LedgerEvent } from './ledger.ts';
import { bucketOf } from './player-hash.ts';
import { VarintReader, VarintWriter } from './varints.ts';

/*
 * A pack contains the events of one bucket in some blocks of one closed day. It has three parts, so that a search reads no
 * more than necessary:
 *
 *   players   the hash of each player in it, ascending, 8 bytes each, uncompressed: does it contain this player at all?
 *   heads     everything about the events except their bodies, column by column, one zstd stream: which events match?
 *   bodies    the bodies concatenated, one zstd stream
 *
 * Events are sorted by player, then by position, because the events of one player are more repetitive than those of all
 * players at one moment. Columns contain differences from the previous event, so most values are one or two bytes.
 *
 * README.md has measurements with the simulator's mix. A pack is compressed once and read often, and a higher level of
 * compression costs the reader nothing.
 */

/** This level takes 13 microseconds per event. Level 19 takes 270 and saves another 11% of the bytes; level 3 takes 5 and needs 27% more. */
const level = 9;
const format = 1;
const hashBytes = 8;

/** An event with the time of its block, by which readers order events (`ledger_block.received_at`). */
export interface PackedEvent extends LedgerEvent {
  block_at: Micros;
}

export interface Pack {
  players: Buffer;
  heads: Buffer;
  bodies: Buffer;
}

const compress = promisify(zstdCompress);

/**
 * Encodes the events of a pack. It sorts them in place, and compresses outside the event loop. All events must have a
 * position and belong to one bucket.
 */
export async function encodePack(events: PackedEvent[]): Promise<Pack> {
  events.sort(byPlayer);
  const hashes: bigint[] = [];
  const counts: number[] = [];
  for (const { player_hash } of events) {
    if (hashes.at(-1) !== player_hash) {
      hashes.push(player_hash);
      counts.push(0);
    }
    counts.push((counts.pop() ?? 0) + 1);
  }
  const players = Buffer.allocUnsafe(hashes.length * hashBytes);
  for (const [i, hash] of hashes.entries()) players.writeBigUInt64BE(hash, i * hashBytes);
  const heads = encodeHeads(events, counts);
  const bodies = Buffer.concat(events.map((event) => event.body));
  return { players, heads: await zstd(heads), bodies: await zstd(bodies) };
}

function byPlayer(a: PackedEvent, b: PackedEvent): number {
  if (a.player_hash !== b.player_hash) return a.player_hash < b.player_hash ? -1 : 1;
  const [p, q] = [a.position, b.position];
  return p.writer_id - q.writer_id || p.seq - q.seq || p.index - q.index;
}

async function zstd(bytes: Buffer): Promise<Buffer> {
  const params = {
    [zlib.ZSTD_c_compressionLevel]: level,
    [zlib.ZSTD_c_checksumFlag]: 1,
    // The window covers all bytes, up to 8 MB, whatever window the level itself would use.
    [zlib.ZSTD_c_windowLog]: Math.min(23, Math.max(17, Math.ceil(Math.log2(bytes.length + 1)))),
  };
  return Buffer.concat([Buffer.of(format), await compress(bytes, { params })]);
}

function encodeHeads(events: readonly PackedEvent[], counts: readonly number[]): Buffer {
  const out = new VarintWriter();
  out.push(events.length);
  for (const count of counts) out.push(count);
  const differences = (value: (event: PackedEvent) => number) => {
    let last = 0;
    for (const event of events) {
      const next = value(event);
      out.pushSigned(next - last);
      last = next;
    }
  };
  differences((event) => event.position.writer_id);
  differences((event) => event.position.seq);
  for (const event of events) out.push(event.position.index);
  differences((event) => event.block_at);
  for (const event of events) out.pushSigned(event.block_at - event.received_at);
  differences((event) => event.brand_id);
  for (const event of events) out.push(kindCode(event.kind));
  for (const event of events) out.push(event.body.length);
  return out.bytes();
}

/** Everything about one event of a pack except its body, which is at `bodyFrom` to `bodyTo` of the bodies. */
export interface PackedHead extends Omit<PackedEvent, 'body'> {
  bodyFrom: number;
  bodyTo: number;
}

/** @throws {CorruptBlock} if the bytes are not those of a pack. The error does not name the pack; the caller adds that. */
export function decodeHeads({ players, heads }: Pick<Pack, 'players' | 'heads'>): PackedHead[] {
  const numbers = new VarintReader(unzstd(heads));
  try {
    const length = numbers.next();
    const hashes: bigint[] = [];
    for (let at = 0; at < players.length; at += hashBytes) {
      const hash = players.readBigUInt64BE(at);
      for (let count = numbers.next(); count > 0 && hashes.length < length; count--) hashes.push(hash);
    }
    const column = (next: () => number) => Float64Array.from({ length }, next);
    const differences = () => {
      let last = 0;
      return column(() => {
        last += numbers.nextSigned();
        return last;
      });
    };
    const writers = differences();
    const seqs = differences();
    const indexes = column(() => numbers.next());
    const blockTimes = differences();
    const waits = column(() => numbers.nextSigned());
    const brands = differences();
    const kinds = column(() => numbers.next());
    const lengths = column(() => numbers.next());
    if (!numbers.atEnd || hashes.length !== length)
      throw new CorruptBlock('the heads of a pack do not fit its players');
    const of = (values: Float64Array, place: number) => values[place] ?? 0;
    let bodyTo = 0;
    return hashes.map((player_hash, place) => {
      const kind = kindOfCode(of(kinds, place));
      if (kind === undefined) throw new CorruptBlock(`unknown event kind ${kinds[place]} in a pack`);
      const bodyFrom = bodyTo;
      bodyTo += of(lengths, place);
      const block_at = of(blockTimes, place);
      return {
        kind,
        brand_id: of(brands, place),
        player_hash,
        bucket: bucketOf(player_hash),
        received_at: block_at - of(waits, place),
        block_at,
        position: { writer_id: of(writers, place), seq: of(seqs, place), index: of(indexes, place) },
        bodyFrom,
        bodyTo,
      };
    });
  } catch (cause) {
    if (cause instanceof RangeError) throw new CorruptBlock('the heads of a pack are cut', { cause });
    throw cause;
  }
}

/** @throws {CorruptBlock} if the bytes cannot be decompressed */
export function unpackBodies(bodies: Buffer): Buffer {
  return unzstd(bodies);
}

/**
 * Adds the bodies to heads. The heads may be any subset of the pack's heads, in any order.
 *
 * @param bodies as returned by `unpackBodies`
 * @throws {CorruptBlock} if the bodies are too short for the heads
 */
export function withBodies(heads: readonly PackedHead[], bodies: Buffer): PackedEvent[] {
  return heads.map(({ bodyFrom, bodyTo, ...event }) => {
    if (bodyTo > bodies.length) throw new CorruptBlock('the bodies of a pack do not fit its heads');
    return { ...event, body: bodies.subarray(bodyFrom, bodyTo) };
  });
}

/**
 * The bytes that identify a player in `players`. A search for these bytes can also match the end of one hash and the beginning of the
 * next. The odds of this wrong match are 1 in 10^15 per pack.
 */
export function playerBytes(playerHash: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(hashBytes);
  bytes.writeBigUInt64BE(playerHash);
  return bytes;
}

function unzstd(bytes: Buffer): Buffer {
  if (bytes[0] !== format) throw new CorruptBlock(`unknown pack format ${bytes[0]}`);
  try {
    return zstdDecompressSync(bytes.subarray(1));
  } catch (cause) {
    throw new CorruptBlock('a pack does not decompress', { cause });
  }
}
