/*
 * Arrays as parameters in PostgreSQL's binary format.
 *
 * A batch of derive passes about 40 array elements per event. The driver sends arrays as text: it quotes and escapes
 * each element, and the server parses it. A timestamp alone costs half a microsecond on each side, and JSON contains a
 * quote to escape every few bytes. In binary, a number takes twelve bytes, and text is copied unchanged.
 *
 * The statement says which type each parameter has (`$3::timestamptz[]`). Values that an encoder does not accept, such
 * as a number out of range, are left to the driver, so that PostgreSQL refuses them with its own error.
 */
type Encode = (values: readonly unknown[], oid: number) => Buffer | string | undefined;

/** For each name of a type in a cast: the type of the elements, and the function that encodes an array of them. */
const encoders: Readonly<Record<string, { oid: number; encode: Encode }>> = {
  bool: { oid: 16, encode: booleans },
  boolean: { oid: 16, encode: booleans },
  smallint: { oid: 21, encode: integers(2, -0x80_00, 0x7f_ff) },
  int: { oid: 23, encode: integers(4, -0x80_00_00_00, 0x7f_ff_ff_ff) },
  bigint: { oid: 20, encode: integers(8, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) },
  /** Encodes Micros. Texts are left to the driver. */
  timestamptz: { oid: 1184, encode: timestamps },
  date: { oid: 1082, encode: dates },
  text: { oid: 25, encode: texts('') },
  /** Encodes JSON texts. The binary format begins with its version, 1. */
  jsonb: { oid: 3802, encode: texts('\u0001') },
  numeric: { oid: 1700, encode: decimals },
  /** Encodes hex texts. Buffers are left to the driver. */
  bytea: { oid: 17, encode: hexes },
};

const cast = /\$(\d+)::(\w+)\[\]/g;
/**
 * Maximum number of statements whose casts are cached. The platform has a few hundred, and a few are generated as needed.
 */
const maxStatements = 2_000;
const castsOf = new Map<string, ReadonlyMap<number, string>>();

/** The values of a statement, with arrays in binary if its text contains their types. */
export function packArrays(text: string, values: readonly unknown[]): unknown[] {
  return values.map((value, place) => {
    if (!Array.isArray(value)) return value;
    const encoder = encoders[casts(text).get(place + 1) ?? ''];
    return encoder?.encode(value, encoder.oid) ?? value;
  });
}

function casts(text: string): ReadonlyMap<number, string> {
  const known = castsOf.get(text);
  if (known !== undefined) return known;
  if (castsOf.size >= maxStatements) castsOf.clear();
  const found = new Map([...text.matchAll(cast)].map(([, place, type]) => [Number(place), type ?? '']));
  castsOf.set(text, found);
  return found;
}

const headBytes = 20;

/** Writes the number of dimensions, whether there are nulls, and the type; then the length and the lower bound of the only dimension. */
function writeHead(bytes: Buffer, oid: number, length: number): void {
  bytes.writeInt32BE(length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(1, 4);
  bytes.writeInt32BE(oid, 8);
  if (length === 0) return;
  bytes.writeInt32BE(length, 12);
  bytes.writeInt32BE(1, 16);
}

/** An array whose elements have `width` bytes each, or are null. */
function fixed(
  values: readonly unknown[],
  { oid, width }: { oid: number; width: number },
  write: (bytes: Buffer, at: number, value: unknown) => boolean,
): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(headBytes + values.length * (4 + width));
  writeHead(bytes, oid, values.length);
  let at = headBytes;
  // An index instead of for-of: with arrays of many kinds, V8 creates an object for each element of for-of.
  for (let place = 0; place < values.length; place++) {
    const value = values[place];
    if (value === null || value === undefined) {
      at = bytes.writeInt32BE(-1, at);
      continue;
    }
    at = bytes.writeInt32BE(width, at);
    if (!write(bytes, at, value)) return undefined;
    at += width;
  }
  return bytes.subarray(0, values.length === 0 ? 12 : at);
}

function booleans(values: readonly unknown[], oid: number): Buffer | undefined {
  return fixed(values, { oid, width: 1 }, (bytes, at, value) => {
    bytes[at] = value === true ? 1 : 0;
    return typeof value === 'boolean';
  });
}

function integers(width: 2 | 4 | 8, least: number, most: number): Encode {
  return (values, oid) =>
    fixed(values, { oid, width }, (bytes, at, value) => {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) return false;
      if (width === 2) bytes.writeInt16BE(value, at);
      else if (width === 4) bytes.writeInt32BE(value, at);
      else writeInt64(bytes, at, value);
      return true;
    });
}

function writeInt64(bytes: Buffer, at: number, value: number): void {
  bytes.writeInt32BE(Math.floor(value / 0x1_00_00_00_00), at);
  bytes.writeUInt32BE(value >>> 0, at + 4);
}

/** PostgreSQL counts from the year 2000. */
const epochDays = 10_957;
const dayMicros = 86_400_000_000;

function timestamps(values: readonly unknown[], oid: number): Buffer | undefined {
  return fixed(values, { oid, width: 8 }, (bytes, at, value) => {
    const since = Number(value) - epochDays * dayMicros;
    if (typeof value !== 'number' || !Number.isSafeInteger(since)) return false;
    writeInt64(bytes, at, since);
    return true;
  });
}

/** Maximum number of cached days. Days are given as texts, and few different ones occur. */
const maxDays = 2_000;
const daysOf = new Map<string, number>();

function dates(values: readonly unknown[], oid: number): Buffer | undefined {
  return fixed(values, { oid, width: 4 }, (bytes, at, value) => {
    const day = typeof value === 'string' ? dayNumber(value) : undefined;
    if (day === undefined) return false;
    bytes.writeInt32BE(day, at);
    return true;
  });
}

function dayNumber(text: string): number | undefined {
  const known = daysOf.get(text);
  if (known !== undefined) return known;
  const day = Date.parse(`${text}T00:00:00Z`) / 86_400_000 - epochDays;
  // A day such as February 30 would become another day, or none.
  if (!Number.isInteger(day) || new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text) return undefined;
  if (daysOf.size >= maxDays) daysOf.clear();
  daysOf.set(text, day);
  return day;
}

/** The text of a number has no character that must be quoted in an array. */
const decimal = /^-?[\d.]+$/;

function decimals(values: readonly unknown[]): string | undefined {
  let text = '';
  for (const value of values) {
    if (value === null || value === undefined) text += text === '' ? 'NULL' : ',NULL';
    else if ((typeof value === 'string' && decimal.test(value)) || typeof value === 'number') {
      text += text === '' ? value : `,${value}`;
    } else return undefined;
  }
  return `{${text}}`;
}

const hex = /^(?:[0-9a-f]{2})*$/;

function hexes(values: readonly unknown[], oid: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(headBytes + values.reduce((sum: number, value) => sum + 4 + hexBytes(value), 0));
  writeHead(bytes, oid, values.length);
  let at = headBytes;
  for (const value of values) {
    if (value === null || value === undefined) {
      at = bytes.writeInt32BE(-1, at);
      continue;
    }
    if (typeof value !== 'string' || !hex.test(value)) return undefined;
    at = bytes.writeInt32BE(value.length / 2, at);
    at += bytes.write(value, at, 'hex');
  }
  return bytes.subarray(0, values.length === 0 ? 12 : at);
}

function hexBytes(value: unknown): number {
  return typeof value === 'string' ? Math.ceil(value.length / 2) : 0;
}

/** The buffer for texts. It grows to the largest array so far; the result is a copy. */
let scratch: Buffer = Buffer.allocUnsafe(64 * 1024);
/** A larger buffer is not kept. */
const maxScratch = 4 * 1024 * 1024;

function texts(prefix: string): Encode {
  return (values, oid) => {
    let bytes = scratch;
    writeHead(bytes, oid, values.length);
    let at = values.length === 0 ? 12 : headBytes;
    for (const value of values) {
      if (value === null || value === undefined) {
        bytes = withRoom(bytes, at, 4);
        at = bytes.writeInt32BE(-1, at);
        continue;
      }
      if (typeof value !== 'string') return undefined;
      // A code unit has at most three bytes.
      bytes = withRoom(bytes, at, 4 + prefix.length + value.length * 3);
      const length = bytes.write(prefix, at + 4, 'latin1') + bytes.write(value, at + 4 + prefix.length, 'utf8');
      bytes.writeInt32BE(length, at);
      at += 4 + length;
    }
    if (bytes.length <= maxScratch) scratch = bytes;
    return Buffer.from(bytes.subarray(0, at));
  };
}

function withRoom(bytes: Buffer, at: number, more: number): Buffer {
  if (at + more <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, at + more));
  bytes.copy(larger, 0, 0, at);
  return larger;
}
