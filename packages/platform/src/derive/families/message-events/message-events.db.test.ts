import { expect, test } from 'vitest';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { readMessageCounts } from '../../../channels/index.ts';
import { readTraits } from '../../index.ts';

const { pool, clock, publish, derive, playerId } = await setupStage();

const report = (what: string, timestamp: string, more: Record<string, unknown> = {}) => ({
  kind: 'message_event' as const,
  body: {
    user_id: 'ann',
    timestamp,
    event_id: `p:${what}`,
    what,
    channel: 'email',
    provider: 'p',
    message_id: '64',
    campaign_id: 'welcome',
    ...more,
  },
});

test('each report changes the outcome of its message once, in any order of the reports', async () => {
  const late = report('clicked', '2026-05-01T10:00:05Z', { event_id: 'p:2', link: '1' });
  await publish(late, report('opened', '2026-05-01T10:00:03Z'), report('opened', '2026-05-01T10:00:03Z'));
  await derive();
  await publish(
    report('delivered', '2026-05-01T10:00:01Z'),
    report('clicked', '2026-05-01T10:00:04Z', { link: '2' }),
    late,
    report('replied', '2026-05-01T10:00:09Z', { message_id: undefined, campaign_id: undefined, channel: 'sms' }),
  );
  await derive();
  const ann = await playerId('ann');
  const events = await pool.query('select what, link from message_event where player_id = $1 order by at', [ann]);
  expect(events.rows).toEqual([
    { what: 'delivered', link: '' },
    { what: 'opened', link: '' },
    { what: 'clicked', link: '2' },
    { what: 'clicked', link: '1' },
    { what: 'replied', link: '' },
  ]);
  const at = (text: string) => Date.parse(text) * 1000;
  const outcomes = await pool.query(
    'select message_id, delivered_at, opened_at, clicked_at, bounced_at from message_outcome where player_id = $1',
    [ann],
  );
  expect(outcomes.rows).toEqual([
    {
      message_id: '64',
      delivered_at: at('2026-05-01T10:00:01Z'),
      opened_at: at('2026-05-01T10:00:03Z'),
      clicked_at: at('2026-05-01T10:00:04Z'),
      bounced_at: null,
    },
  ]);
});

test('traits count reported messages together with messages of the site, and reports do not count as activity of the player', async () => {
  const player_id = await playerId('ann');
  const messages = await readMessageCounts(pool, player_id);
  const traits = await readTraits(pool, { player_id, time_zone: 'UTC', messages }, clock.now());
  const value = (name: string) => traits[name]?.value;
  expect([value('message_received_count'), value('message_shown_count')]).toEqual([1, 1]);
  expect([value('message_read_count'), value('message_clicked_count')]).toEqual([1, 1]);
  expect(value('message_clicked_count_by_campaign')).toEqual({ welcome: 1 });
  expect(value('last_event_at')).toBeNull();
});
