import { ResultReader } from './result-reader.ts';

/** Number of ids that are passed on together. A separate transaction in the stage costs as much as 500 ids. */
const batchSize = 10_000;

/** Progress of a reading, for display. */
export interface ReadingProgress {
  bytes: number;
  ids_read: number;
}

/**
 * Reads an answer to its end, and passes on its ids in batches. The next piece is read after the last batch was stored, so a
 * fast operator and a slow database need no extra memory.
 *
 * @returns the timestamp as written. @throws {UnusableResult} and the errors of `take`; then discard everything taken
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
