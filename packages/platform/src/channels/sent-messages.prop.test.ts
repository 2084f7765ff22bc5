import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { timestamptzText } from '../database/index.ts';
import { listSentMessages, sentChannels } from './sent-messages.ts';

/*
 * Together, the pages of a list of sent messages contain every message that matches its filter exactly once, newest first. This
 * holds for any number of messages that a page may read, and for any order of the channels.
 */
const { pool } = await setupDatabase();
const start = 1_777_629_600_000_000;
const states = ['waiting', 'sent', 'withheld', 'dropped', 'failed', 'unknown'] as const;
const few = <Value>(...of: readonly Value[]) => fc.constantFrom(...of);

const aMessage = fc.record({
  channel: few(...sentChannels),
  state: few(...states),
  player: few(1, 2),
  campaign: few('spring', 'autumn', null),
  reason: few('no_consent', 'expired', null),
  minute: fc.nat({ max: 5 }),
});
type Message = typeof aMessage extends fc.Arbitrary<infer One> ? One : never;

const aFilter = fc.record(
  {
    player_id: few(1, 2),
    states: fc.subarray([...states], { minLength: 1 }),
    campaign_id: few('spring', 'autumn'),
    reason: few('no_consent', 'expired'),
    ended_from: fc.nat({ max: 5 }).map((minute) => start + minute * 60_000_000),
    ended_to: fc.nat({ max: 5 }).map((minute) => start + minute * 60_000_000),
  },
  { requiredKeys: [] },
);
type Filter = typeof aFilter extends fc.Arbitrary<infer One> ? One : never;

const endOf = ({ state, minute }: Message) => (state === 'waiting' ? null : start + minute * 60_000_000);

function matches(message: Message, filter: Filter): boolean {
  const ended = endOf(message);
  return (
    (filter.player_id === undefined || filter.player_id === message.player) &&
    (filter.states === undefined || filter.states.includes(message.state)) &&
    (filter.campaign_id === undefined || filter.campaign_id === message.campaign) &&
    (filter.reason === undefined || filter.reason === message.reason) &&
    (filter.ended_from === undefined || (ended !== null && ended >= filter.ended_from)) &&
    (filter.ended_to === undefined || (ended !== null && ended <= filter.ended_to))
  );
}

/** Stores a message and returns its id. Ids ascend with the place of the message, and have the bucket of its player in their low bits. */
async function store(brandId: number, place: number, message: Message): Promise<number> {
  const { channel, state, player, campaign, reason } = message;
  const messageId = (brandId * 1_000 + place) * 64 + player;
  const ended = endOf(message);
  const isEmail = channel === 'email';
  const [columns, values] = isEmail
    ? ['subject, html, plain', `'', '', ''`]
    : ['channel, target, content', `'${channel}', '', '{"text": "x"}'`];
  await pool.query(
    `insert into ${isEmail ? 'email_message' : 'called_message'}
       (message_id, brand_id, player_id, purpose, campaign_id, created_at, created_by, expires_at, state, reason, due_at, ended_at, ${columns})
     values ($1, $2, $3, 'marketing', $4, now(), 'test', now(), $5, $6, $7, $8, ${values})`,
    [
      messageId,
      brandId,
      player,
      campaign,
      state,
      reason,
      state === 'waiting' ? timestamptzText(start) : null,
      ended === null ? null : timestamptzText(ended),
    ],
  );
  return messageId;
}

let brands = 0;

test('all pages together contain exactly what a plain filter selects', async () => {
  const property = fc.asyncProperty(
    fc.array(aMessage, { maxLength: 40 }),
    aFilter,
    fc.subarray([...sentChannels], { minLength: 1 }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 5 }),
    async (messages, filter, channels, portion, limit) => {
      const brandId = ++brands;
      const wanted: number[] = [];
      for (const [place, message] of messages.entries()) {
        const id = await store(brandId, place + 1, message);
        if (channels.includes(message.channel) && matches(message, filter)) wanted.unshift(id);
      }
      const shown: number[] = [];
      let before: number | undefined;
      // Every page that is not the last one reads at least one message.
      for (let pages = 0; pages <= messages.length + 1; pages++) {
        const page = { limit, before, portion };
        const { rows, searched_to } = await listSentMessages(pool, brandId, { ...filter, channels }, page);
        expect(rows.length).toBeLessThanOrEqual(limit);
        shown.push(...rows.map(({ message_id }) => message_id));
        before = rows.length === limit ? rows.at(-1)?.message_id : (searched_to ?? undefined);
        if (before === undefined) break;
      }
      expect(before).toBeUndefined();
      expect(shown).toEqual(wanted);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
