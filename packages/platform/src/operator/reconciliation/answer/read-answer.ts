import { ResultReader } from './result-reader.ts';

/** Ids that are handed on together; a transaction of its own in the stage costs as much as 500 of them. */
const batchSize = 10_000;

/** How far reading is, for whoever watches. */
export interface ReadingProgress {
  bytes: number;
  ids_read: number;
}

/**
 * Reads an answer to its end, handing its ids on in batches; the next piece is read when the last batch was taken, so a fast
 * operator and a slow database cost no memory.
 *
 * @returns the timestamp as written. @throws {UnusableResult} and what `take` throws; then nothing of what was taken counts.
 */
export async function readAnswer(
  pieces: AsyncIterable<Uint8Array>,
  progress: ReadingProgress,
  take: (ids: readonly string[]) => Promise<void>,
): Promise<string> {
  let batch: string[] = [];
  const reader = new ResultReader((id) => batch.push(id));
  const handOn = async () => {
    const ids = batch;
    batch = [];
    await take(ids);
    progress.ids_read += ids.length;
  };
  for await (const piece of pieces) {
    progress.bytes += piece.length;
    reader.push(piece);
    if (batch.length >= batchSize) await handOn();
  }
  const timestamp = reader.end();
  if (batch.length > 0) await handOn();
  return timestamp;
}
