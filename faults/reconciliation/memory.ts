/** Measures how far this process has grown since the call, in MB: the largest value of twenty samples per second. */
export function watchMemory(): { stop(): { before: number; most: number; growth: number } } {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 50);
  return {
    stop() {
      look();
      clearInterval(timer);
      const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
      return { before: mb(before), most: mb(most), growth: mb(most - before) };
    },
  };
}
