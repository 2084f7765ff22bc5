import { eventKinds, messages, readEvent } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { setupStage } from '../../../testing/derive/stage.ts';
import { readCatalog } from '../../segments/membership/index.ts';
import { eventName } from '../news/event-names.ts';
import { eventNews } from '../news/event-news.ts';
import { fieldsOfEvent } from './event-fields.ts';

const now = Date.parse('2026-05-04T12:00Z') * 1000;
const context = { now, zoneless_timestamps: 'UTC', base_currency: 'EUR', reference_prefix: 'crm' } as never;
const { pool, brand } = await setupStage();
const catalog = await readCatalog(pool, brand);

test.each(eventKinds)('messages can insert every value of an event of kind %s', (kind) => {
  const fields = fieldsOfEvent(eventName(kind), catalog);
  for (const sample of Object.values(messages[kind].samples)) {
    const reading = readEvent(kind, sample as Record<string, unknown>, context);
    if (!reading.ok) continue;
    const position = { writer: 1, seq: 1, index: 0 } as never;
    const news = eventNews({ event: reading.event, received_at: now, position }, now);
    const lacks = Object.keys(news?.row ?? {}).filter((name) => !fields?.has(name.split('.')[0] ?? ''));
    expect(lacks).toEqual([]);
  }
});

test('fields that are lists or objects, and the player, are not values of an event', () => {
  const fields = fieldsOfEvent('cart', catalog);
  expect(fields?.has('items')).toBe(false);
  expect(fields?.has('user_id')).toBe(false);
  expect(fieldsOfEvent('nothing', catalog)).toBeUndefined();
});
