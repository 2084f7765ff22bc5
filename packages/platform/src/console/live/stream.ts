import type { TableChanges } from './table-changes.ts';
import type { Topic } from './topics.ts';

/** How often a comment is sent, because proxies close idle connections. */
const stillHereMs = 15_000;
/** After 5 minutes the stream ends, and the browser requests it again. So a session that has ended gets no more changes. */
const longestMs = 5 * 60_000;
/** How long a browser waits before it reconnects after the end of a stream. */
const reconnectMs = 2_000;

/**
 * The server-sent events of one open console: topics that have changed, as a JSON list. Changes during slow reading are
 * combined into one event, so a stream buffers no more than one list.
 */
export async function* changeStream(
  changes: Pick<TableChanges, 'listen' | 'isOver' | 'whenCompared'>,
): AsyncGenerator<string> {
  const changed = new Set<Topic>();
  let wake = () => {};
  const stop = changes.listen((topics) => {
    for (const topic of topics) changed.add(topic);
    wake();
  });
  const until = performance.now() + longestMs;
  try {
    // The headers are sent with the first line, and the console reads its page again when they arrive.
    await changes.whenCompared;
    yield `retry: ${reconnectMs}\n\n`;
    while (!changes.isOver && performance.now() < until) {
      if (changed.size === 0) {
        const woken = Promise.withResolvers<void>();
        const timer = setTimeout(woken.resolve, stillHereMs);
        wake = woken.resolve;
        await woken.promise;
        clearTimeout(timer);
      }
      if (changes.isOver) return;
      const topics = [...changed];
      changed.clear();
      yield topics.length > 0 ? `data: ${JSON.stringify(topics)}\n\n` : ': still here\n\n';
    }
  } finally {
    stop();
  }
}
