import type { Written } from '../load/messages.ts';
import { type Connection, isArrival, type OpenPage } from '../load/open-pages.ts';
import { type Outcome, outcome } from '../outcome.ts';

/*
 * Checks the messages that were written while the api processes of the open pages were killed.
 *
 * The promise (packages/platform/src/site/live) has two parts. After its subscription, a page requests a list, which contains
 * everything that was committed before. Everything that is committed after the subscription arrives as an event, once per
 * connection. So a message may reach a page twice: by event and by list, or again on the next connection if it was committed less
 * than one poll interval before. The MessageId identifies it. Such repeats are counted.
 */
export interface MessageEvidence {
  written: readonly Written[];
  /** One message per player, written after the last process was killed. */
  last: readonly Written[];
  /** MessageIds that players found in a list without an event, and marked as read. */
  read: ReadonlySet<number>;
  /** MessageIds that were listed to players, but unknown when they marked them as read. */
  gone: ReadonlySet<number>;
  pages: readonly OpenPage[];
  /** MessageIds that the site lists at the end, by user_id. */
  inboxes: ReadonlyMap<string, ReadonlySet<number>>;
  /** The factor for the limit of latency (scenario.ts). */
  allowance: number;
}

/**
 * If a connection ended sooner than this after a message was acknowledged, it does not have to deliver the message. If a hint is
 * lost, the poll delivers its message only after a second.
 */
const graceMs = 5_000;
/**
 * Maximum time from the order of a message, after the last kill, until it reaches every page. A page whose socket was
 * refused often waits for polls every 30 s (load/page-sockets.ts), and the last process is started again within 5 s.
 */
const reachLimitMs = 40_000;

/** P1: a message that was acknowledged, and not recalled, is known to the page of its player and to no other page. */
export function judgeKnown({ written, last, read, pages }: MessageEvidence): Outcome {
  const all = new Map([...written, ...last].map((message) => [message.message_id, message]));
  const pageOf = new Map(pages.map((page) => [page.user_id, page]));
  const owed = [...all.values()].filter(isOwed);
  const isKnown = ({ message_id, user_id }: Written) =>
    read.has(message_id) || pageOf.get(user_id)?.learned.has(message_id);
  const broken = [
    ...owed.filter((one) => !isKnown(one)).map((one) => `${named(one)} is unknown to its page`),
    ...pages.flatMap(({ user_id, learned }) =>
      [...learned.keys()].flatMap((id) => {
        const message = all.get(id);
        if (message === undefined) return [`message ${id} at the page of ${user_id} was never acknowledged`];
        return message.user_id === user_id ? [] : [`${named(message)} arrived at the page of ${user_id}`];
      }),
    ),
  ];
  const counts = { messages: all.size, owed: owed.length, withheld: [...all.values()].filter(isWithheld).length };
  return outcome(
    'P1',
    'each acknowledged message is known to the open page of its player, and to no other',
    counts,
    broken,
  );
}

/** A message that is committed while a connection is up is sent on it, once, and not after its recall. */
export function judgeTold({ written, last, pages }: MessageEvidence): Outcome {
  const of = Map.groupBy([...written, ...last].filter(isOwed), ({ user_id }) => user_id);
  const counts = { connections: 0, reconnects: -pages.length, arrived: 0, again: 0, due: 0 };
  const broken = pages.flatMap(({ user_id, connections }) => {
    const before = new Set<number>();
    counts.reconnects += connections.length;
    return connections.flatMap((connection, n) => {
      const arrived = connection.told.filter(isArrival).map(({ message_id }) => message_id);
      const due = (of.get(user_id) ?? []).filter((message) => isDue(message, connection));
      const where = `on connection ${n + 1} of ${user_id}`;
      counts.connections += 1;
      counts.arrived += arrived.length;
      counts.again += arrived.filter((id) => before.has(id)).length;
      counts.due += due.length;
      for (const id of arrived) before.add(id);
      return [
        ...arrived.filter((id, at) => arrived.indexOf(id) < at).map((id) => `message ${id} arrived twice ${where}`),
        ...due
          .filter(({ message_id }) => !arrived.includes(message_id))
          .map((one) => `${named(one)} did not arrive ${where}`),
        ...risen(connection).map((id) => `message ${id} arrived after its recall ${where}`),
      ];
    });
  });
  return outcome('-', 'a socket receives each message that is written while it is connected, once', counts, broken);
}

/**
 * After an acknowledged recall the message is in no inbox, and removed from the page. A message that was not recalled is still
 * there.
 */
export function judgeRecalled({ written, last, gone, pages, inboxes }: MessageEvidence): Outcome {
  const all = [...written, ...last];
  const recalled = all.filter((message) => message.recalled);
  const shown = new Map(pages.map((page) => [page.user_id, visibleOn(page)]));
  const broken = [
    ...all
      .filter((one) => gone.has(one.message_id) && !one.recalled)
      .map((one) => `${named(one)} was unknown, although it was not recalled`),
    ...recalled
      .filter((one) => inboxes.get(one.user_id)?.has(one.message_id))
      .map((one) => `${named(one)} was recalled, but is listed`),
    ...recalled
      .filter((one) => shown.get(one.user_id)?.has(one.message_id))
      .map((one) => `${named(one)} was recalled, but is still on the page`),
    ...all
      .filter((one) => isOwed(one) && !inboxes.get(one.user_id)?.has(one.message_id))
      .map((one) => `${named(one)} is not listed`),
  ];
  return outcome(
    '-',
    'recalled messages disappear from lists and pages, and all other messages stay',
    { recalled: recalled.length },
    broken,
  );
}

/** P11: after the last kill, a new message reaches every open page. */
export function judgeReached({ last, pages, allowance }: MessageEvidence): Outcome {
  const pageOf = new Map(pages.map((page) => [page.user_id, page]));
  const limit = reachLimitMs * allowance;
  const times = last.map((message) => {
    const at = pageOf.get(message.user_id)?.learned.get(message.message_id) ?? Number.POSITIVE_INFINITY;
    return { message, ms: Math.round(at - message.ordered_at) };
  });
  const broken = times.filter(({ ms }) => !(ms <= limit)).map(({ message, ms }) => `${named(message)} took ${ms} ms`);
  const sorted = times
    .map(({ ms }) => ms)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const counts = {
    reached: sorted.filter((ms) => ms <= limit).length,
    reach_ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
    slowest_reach_ms: sorted.at(-1) ?? 0,
  };
  return outcome('P11', 'after the last kill a new message reaches every open page within the limit', counts, broken);
}

/** All checks, in the order of the report. */
export function judgeMessages(evidence: MessageEvidence): Outcome[] {
  return [judgeKnown, judgeTold, judgeRecalled, judgeReached].map((judge) => judge(evidence));
}

function isWithheld({ state }: Written): boolean {
  return state !== 'live';
}

function isOwed(message: Written): boolean {
  return !isWithheld(message) && !message.recalled;
}

/** True if the message was written after the subscription, and long enough before the end of the socket. */
function isDue(
  { ordered_at, acknowledged_at }: Written,
  { upAt, downAt = Number.POSITIVE_INFINITY }: Connection,
): boolean {
  return upAt <= ordered_at && acknowledged_at + graceMs <= downAt;
}

/**
 * Returns the messages that arrived after their withdrawal. A page adds a message on arrival and removes it on
 * withdrawal, so such a message would stay on the page.
 */
function risen({ told }: Connection): number[] {
  const withdrawn = new Set<number>();
  return told.flatMap((one) => {
    if (one.event === 'withdrawn') withdrawn.add(one.message_id);
    return isArrival(one) && withdrawn.has(one.message_id) ? [one.message_id] : [];
  });
}

/** What a page shows after its last list: the messages of the list and those that arrived since, without the withdrawn ones. */
function visibleOn({ connections, polled }: OpenPage): ReadonlySet<number> {
  if (polled !== undefined) return polled;
  const { listed = [], told = [] } = connections.at(-1) ?? {};
  const shown = new Set([...listed, ...told.filter(isArrival).map(({ message_id }) => message_id)]);
  for (const { event, message_id } of told) if (event === 'withdrawn') shown.delete(message_id);
  return shown;
}

function named({ message_id, title, user_id }: Written): string {
  return `message ${message_id} (${title}) to ${user_id}`;
}
