import { operatorEventKinds, parseBody, fingerprint as platformFingerprint, readEvent } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';
import { createSimulation, destinations, duplicated, labels, noQuirks, type QuirkName, shuffled } from './index.ts';

const now = Date.UTC(2030, 0) * 1000;

describe('the messages', () => {
  const simulation = createSimulation({ seed: 3, players: 120 });
  const messages = [...simulation.take(60_000), ...simulation.finish()];
  const { brand } = simulation;

  test('every kind of event occurs and is sent to its own address', () => {
    const kinds = new Set(messages.map((message) => message.kind));
    expect([...kinds].sort()).toEqual([...operatorEventKinds].sort());
    for (const { kind, method, path } of messages) expect({ method, path }).toEqual(destinations[kind]);
  });

  test('every quirk occurs', () => {
    const never = Object.entries(simulation.played).flatMap(([quirk, times]) => (times === 0 ? [quirk] : []));
    expect(never).toEqual([]);
    expect(new Set(messages.map((message) => message.label))).toEqual(new Set(labels));
  });

  test('messages are valid exactly if they are not labeled invalid', () => {
    for (const message of messages) {
      const parsed = parseBody(message.body);
      const reading = parsed.ok
        ? readEvent(message.kind, parsed.body, { ...brand, now })
        : { ok: false, errors: parsed.error };
      if (reading.ok === (message.label === 'invalid'))
        throw new Error(`${message.label}: ${message.body}: ${JSON.stringify(reading)}`);
    }
  });

  test('messages are returned in the order of sending, and a retry is equal in content', () => {
    const byNumber = new Map(messages.map((message) => [message.number, message]));
    let last = 0;
    for (const message of messages) {
      expect(message.at).toBeGreaterThanOrEqual(last);
      expect(message.at % 1).toBe(0);
      last = message.at;
      if (message.label !== 'retry') continue;
      const first = byNumber.get(message.repeats ?? 0);
      expect(first?.at).toBeLessThan(message.at);
      if (message.body !== first?.body) expect(JSON.parse(message.body)).toEqual(JSON.parse(first?.body ?? ''));
    }
  });

  test('fingerprints equal those of the platform', () => {
    for (const { kind, body, label } of messages.slice(0, 2000)) {
      const parsed = parseBody(body);
      if (label === 'invalid' || !parsed.ok || /\d{16}/.test(body)) continue;
      expect(fingerprint(7, kind, body)).toBe(platformFingerprint(7, kind, parsed.body));
    }
  });
});

test('the same seed gives the same casino, another seed another one', () => {
  const play = (seed: number) => createSimulation({ seed, players: 20, start: Date.UTC(2025, 5, 1) * 1000 }).take(3000);
  expect(play(1)).toEqual(play(1));
  expect(play(2)).not.toEqual(play(1));
});

test('without quirks, no message is repeated, contradicted, broken or without a zone', () => {
  const simulation = createSimulation({ players: 20, quirks: noQuirks });
  for (const message of simulation.take(3000)) {
    expect(message.label).toBe('event');
    expect(message.body).not.toMatch(/"timestamp":"\d{4}-\d\d-\d\d \d/);
  }
  expect(Object.values(simulation.played).every((times) => times === 0)).toBe(true);
});

test.each<[QuirkName, string]>([
  ['retry', 'retry'],
  ['restamped', 'restamped'],
  ['conflict', 'conflict'],
  ['orphan', 'orphan'],
  ['invalid', 'invalid'],
])('one quirk alone, %s, gives messages labeled %s', (quirk, label) => {
  const messages = createSimulation({ players: 10, quirks: { ...noQuirks, [quirk]: 0.2 } }).take(2000);
  expect(new Set(messages.map((message) => message.label))).toEqual(new Set(['event', label]));
});

test('with a real clock, events have the time at which they are taken', () => {
  let micros = Date.UTC(2026, 4, 1, 12) * 1000;
  const simulation = createSimulation({ players: 5, clock: () => micros, quirks: noQuirks });
  for (let i = 0; i < 200; i++) {
    micros += 1_000_000;
    const { kind, body } = simulation.next();
    const reading = readEvent(kind, JSON.parse(body), { ...simulation.brand, now });
    if (!reading.ok || !('timestamp' in reading.event)) throw new Error(body);
    // A timestamp may be earlier than now, because messages wait in the outbox while others are taken. It must not be before
    // the start.
    expect(reading.event.timestamp).toBeLessThanOrEqual(micros + 1000);
    expect(reading.event.timestamp).toBeGreaterThan(Date.UTC(2026, 4, 1, 11, 59) * 1000);
  }
});

test('numbers in ids start at the given one, so that two runs do not collide', () => {
  const ids = (firstNumber: number) =>
    createSimulation({ players: 5, firstNumber, quirks: noQuirks })
      .take(2000)
      .flatMap(({ kind, body }) => (kind === 'payment' ? [String(JSON.parse(body).payment_id)] : []));
  const first = new Set(ids(0));
  expect(ids(1_000_000).some((id) => first.has(id))).toBe(false);
});

describe('disorder', () => {
  const messages = createSimulation({ players: 10 }).take(2000);

  test('shuffled keeps every message once and changes their order', () => {
    const disordered = shuffled(messages, 4);
    expect(disordered).not.toEqual(messages);
    expect(disordered.map((message) => message.number).sort((a, b) => a - b)).toEqual(
      messages.map((message) => message.number).sort((a, b) => a - b),
    );
    expect(shuffled(messages, 4)).toEqual(disordered);
  });

  test('duplicated adds retries after the first message, none of them invalid', () => {
    const more = duplicated(messages, { rate: 0.1, seed: 4 });
    const added = more.length - messages.length;
    expect(added).toBeGreaterThan(120);
    expect(added).toBeLessThan(280);
    expect(more.filter((message) => message.label === 'invalid')).toEqual(
      messages.filter((m) => m.label === 'invalid'),
    );
  });
});
