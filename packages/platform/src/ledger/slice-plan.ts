/**
 * A slice ends after this many events: 1,000 in the pack of a bucket. Packing then needs up to 165 MB of memory. Twice
 * as many would need 280 MB, and save 4% of the bytes.
 */
const eventsPerSlice = 64_000;
/** A slice also ends after this many bytes of bodies, which are all in memory at once. An event of the simulator has 387 bytes. */
const bytesPerSlice = 32 * 1024 * 1024;

export interface Sized {
  event_count: number;
  bytes: number;
}

/**
 * Merges the blocks of several writers, each ordered by number, into one order: by time, but the blocks of one writer always stay in the
 * order of their numbers. It holds one block of each writer (and what the iterators hold themselves).
 */
export async function* mergeBlocks<B extends { received_at: number }>(
  writers: readonly AsyncIterator<B, void>[],
): AsyncGenerator<B> {
  const heads = await Promise.all(writers.map(async (blocks) => ({ blocks, head: await blocks.next() })));
  let open = heads.flatMap(({ blocks, head }) => (head.done ? [] : [{ blocks, block: head.value }]));
  while (open.length > 0) {
    const next = open.reduce((first, each) => (each.block.received_at < first.block.received_at ? each : first));
    yield next.block;
    const following = await next.blocks.next();
    if (following.done) open = open.filter((each) => each !== next);
    else next.block = following.value;
  }
}

/** Cuts a stream of blocks into slices of at least one block. A block has at most 2,000 events and 4 MB (writer.ts). */
export async function* inSlices<B extends Sized>(blocks: AsyncIterable<B>): AsyncGenerator<B[]> {
  let slice: B[] = [];
  let events = 0;
  let bytes = 0;
  for await (const block of blocks) {
    slice.push(block);
    events += block.event_count;
    bytes += block.bytes;
    if (events < eventsPerSlice && bytes < bytesPerSlice) continue;
    yield slice;
    slice = [];
    events = 0;
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}
