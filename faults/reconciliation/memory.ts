/** How far this process has grown since, in MB: the largest of what was seen twenty times a second. */
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
