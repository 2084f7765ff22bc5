import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { writeTemplate } from '../../channels/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';

/* Each player of a campaign gets the responsible gambling text of their own market, although the messages are composed together. */
const setup = await setupCampaigns({
  brand: {
    responsible_gambling: [
      { market: 'GB', language: 'en', text: 'Take time to think' },
      { market: 'SE', language: 'en', text: 'Stodlinjen.se' },
      { market: '*', language: 'en', text: 'Play responsibly' },
    ],
  },
});
const { pool, brand, clock, publish, derive, lane, runs } = setup;
const texts = ['Take time to think', 'Stodlinjen.se', 'Play responsibly'];
/** The country and the market of each player, and the text that each message must contain. */
const players = {
  british: { country: 'GB', market: null, text: texts[0] },
  swedish: { country: 'SE', market: null, text: texts[1] },
  'a British person in Sweden': { country: 'SE', market: 'gb', text: texts[0] },
  maltese: { country: 'MT', market: null, text: texts[2] },
  unknown: { country: null, market: null, text: texts[2] },
} as const;
const templates = {
  email: { subject: 'Hello', html: '<p>Hello</p>' },
  sms: { text: 'Hello' },
  site: { title: 'Hello' },
} as const;

test('e-mail, SMS and site message end with the text of the market of their player', async () => {
  for (const [code, fields] of Object.entries(templates)) {
    const template = {
      code,
      name: code,
      channel: code as 'site',
      purpose: 'marketing',
      content: { en: fields },
    } as const;
    await transaction(pool, (tx) =>
      writeTemplate(tx, brand, template, { expected: undefined, by: 'a test', at: clock.now() }),
    );
  }
  const steps = (['email', 'sms', 'site'] as const).map((channel) => ({
    id: channel,
    send: { channel, template: channel },
  }));
  await setup.campaign({ code: 'hello', name: 'Hello', entry: { event: 'payment' }, steps });
  const timestamp = timestamptzText(clock.now());
  for (const [user_id, { country, market }] of Object.entries(players)) {
    const player = await setup.reader(user_id);
    await pool.query(
      `update player_profile set country = $2, market = $3, email = 'x@players.example', mobile_prefix = '+356', mobile = '99123456'
        where player_id = $1`,
      [player, country, market],
    );
    await publish({ kind: 'payment', body: paymentBody({ user_id, payment_id: user_id, timestamp }) });
  }
  await derive();
  await lane.runOnce();
  expect((await runs('hello')).map(({ state }) => state)).toEqual(Object.keys(players).map(() => 'done'));
  const { rows } = await pool.query<{ user_id: string; channel: string; html: string; plain: string }>(
    `select p.user_id, m.channel, m.html, m.plain
       from (select player_id, 'email' as channel, html, plain from email_message
             union all select player_id, channel, content ->> 'text', content ->> 'text' from called_message
             union all select player_id, channel, footer_text, footer_text from notification) m join player p using (player_id)`,
  );
  expect(rows).toHaveLength(3 * Object.keys(players).length);
  for (const { user_id, channel, html, plain } of rows) {
    const shown = texts.filter((text) => html.includes(text) && plain.includes(text));
    expect(shown, `${user_id} ${channel}`).toEqual([players[user_id as keyof typeof players].text]);
  }
});
