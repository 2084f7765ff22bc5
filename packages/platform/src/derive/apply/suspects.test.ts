import { expect, test } from 'vitest';
import { testSettings } from '../../../testing/derive/event.ts';
import type { ReadableEvent } from '../read.ts';
import { Suspects } from './suspects.ts';

function eventOf(player: number): ReadableEvent {
  return {
    source: {
      brand_id: 1,
      kind: 'logout',
      player_hash: BigInt(player),
      bucket: player % 64,
      received_at: 0,
      body: Buffer.from('{}'),
      position: { writer_id: 1, seq: 1, index: player },
    },
    event: { kind: 'logout', user_id: String(player), timestamp: 0 },
    body: {},
    flags: [],
    settings: testSettings(),
  };
}

test('a player is a suspect after a failed event, until all its events in a batch succeed', () => {
  const suspects = new Suspects();
  const [a, b, c] = [eventOf(1), eventOf(2), eventOf(3)];
  expect(suspects.separate([a, b])).toEqual([[a, b], []]);
  suspects.recordAnswer([a, a, b], [a]);
  expect(suspects.separate([a, b, c])).toEqual([[b, c], [a]]);
  suspects.recordAnswer([b, c], []);
  expect(suspects.separate([a])).toEqual([[], [a]]);
  suspects.recordAnswer([a, b], []);
  expect(suspects.separate([a])).toEqual([[a], []]);
});

test('at most 1,000 players are remembered', () => {
  const suspects = new Suspects();
  const events = Array.from({ length: 1_500 }, (_, player) => eventOf(player));
  suspects.recordAnswer(events, events);
  expect(suspects.separate(events)[1]).toHaveLength(1_000);
});
