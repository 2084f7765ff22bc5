import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { every, followChanges } from './live.ts';
import { minAgeOf } from './topics.ts';

/** The stream of a browser that the test controls. */
class Stream {
  static readonly CLOSED = 2;
  static latest: Stream;
  readyState = 0;
  onopen = () => {};
  onerror = () => {};
  onmessage = (_: { data: string }) => {};
  constructor() {
    Stream.latest = this;
  }
  close() {}
  report(...topics: string[]) {
    this.onmessage({ data: JSON.stringify(topics) });
  }
}

/** Functions that close the pages of a test. They are called before the globals that the pages use are restored. */
const closings: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('document', { hidden: false, addEventListener() {}, removeEventListener() {} });
});
afterEach(() => {
  for (const close of closings.splice(0)) close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A console with an open page. Each read of its query takes `takesMs`. Its stream opens `opensAfterMs` after the first read began. */
async function setup(queryKey: QueryKey, takesMs = 10, opensAfterMs = 0) {
  const queries = new QueryClient();
  const reads = { begun: 0, answered: 0, aborted: 0 };
  closings.push(followChanges('malta', queries));
  if (opensAfterMs === 0) Stream.latest.onopen();
  const observer = new QueryObserver(queries, {
    queryKey,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      reads.begun++;
      signal.addEventListener('abort', () => reads.aborted++);
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      return ++reads.answered;
    },
  });
  closings.push(observer.subscribe(() => {}));
  await vi.advanceTimersByTimeAsync(Math.max(takesMs, opensAfterMs));
  if (opensAfterMs > 0) Stream.latest.onopen();
  expect(reads).toEqual({ begun: 1, answered: 1, aborted: 0 });
  return { reads, stream: Stream.latest };
}

test('a query that takes longer than the time between two changes is answered, and never has two reads at a time', async () => {
  const { reads, stream } = await setup(['malta', 'campaign', 'welcome'], 5_000);
  for (let second = 0; second < 12; second++) {
    stream.report('campaigns');
    await vi.advanceTimersByTimeAsync(1_000);
  }
  // These are the first read of the page, one read until 5 s, and one read from 6 s to 11 s.
  expect(reads).toMatchObject({ answered: 3, aborted: 0 });
  expect(reads.begun - reads.answered).toBeLessThanOrEqual(1);
});

test('a change during a read causes another read after it', async () => {
  const { reads, stream } = await setup(['malta', 'campaign', 'welcome'], 3_000);
  stream.report('campaigns');
  await vi.advanceTimersByTimeAsync(100);
  stream.report('campaigns');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reads).toEqual({ begun: 3, answered: 3, aborted: 0 });
});

test('after a change, a query of many rows is read again, but not before its answer has the minimum age', async () => {
  const key = ['malta', 'campaign', 'welcome', 'results', 7];
  expect(minAgeOf(key)).toBe(10_000);
  const { reads, stream } = await setup(key);
  stream.report('campaigns');
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reads.begun).toBe(1);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(reads.begun).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads.begun).toBe(2);
});

test('only queries of many rows have a minimum age', () => {
  expect(minAgeOf(['malta', 'segment', 'vip', 'overlap', 'new', 'both', 'head'])).toBe(30_000);
  expect(minAgeOf(['malta', 'segment', 'vip', 'transitions', 'days'])).toBe(10_000);
  expect(minAgeOf(['malta', 'segment', 'vip', 'transitions', 'head'])).toBe(0);
  expect(minAgeOf(['malta', 'campaign', 'results'])).toBe(0);
});

test('a query follows each of its topics', async () => {
  const { reads, stream } = await setup(['malta', 'effects', '1-2-3']);
  for (const [n, topic] of ['feed', 'campaigns', 'segments', 'compliance', 'rewards', 'messages'].entries()) {
    stream.report(topic);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(reads.begun, topic).toBe(n + 2);
  }
});

test('a page that was read before its stream opened is read again once, but not during its first view', async () => {
  const { reads } = await setup(['malta', 'segment', 'vip'], 10, 800);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(reads.begun).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads.begun).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads.begun).toBe(2);
});

test('when the stream opens again, queries that follow changes are read again once, and queries whose reads are audited are not read again', async () => {
  const page = await setup(['malta', 'campaign', 'welcome']);
  page.stream.onerror();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(page.reads.begun).toBe(1);
  page.stream.onopen();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.reads.begun).toBe(2);

  const audited = await setup(['malta', 'quarantined', 7]);
  audited.stream.report('quarantine', 'overview');
  await vi.advanceTimersByTimeAsync(2_500);
  audited.stream.onerror();
  audited.stream.onopen();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(audited.reads.begun).toBe(1);
});

test.each([
  ['does not open again', 0, 5_000],
  ['was refused', Stream.CLOSED, 0],
])('queries return to their own intervals when the stream %s', async (_, readyState, ms) => {
  const queryKey = ['malta', 'campaign', 'welcome'];
  const { reads, stream } = await setup(queryKey);
  expect(every(2_000)({ queryKey })).toBe(30_000);
  stream.readyState = readyState;
  stream.onerror();
  await vi.advanceTimersByTimeAsync(ms);
  expect(every(2_000)({ queryKey })).toBe(2_000);
  expect(reads.begun).toBe(2);
});
