import type { EventKind, Micros } from '@croupier/contracts';
import { momentText } from '@croupier/rules';
import type { Pool } from 'pg';
import { type Publication, paymentBody } from '../../derive/stage.ts';

/*
 * Players with histories of all kinds of events, for tests that evaluate rules over the platform's own tables. Events lie close
 * to times at which a result changes: now, clock hours, midnights, the ends of windows and of `within`.
 */
const minute: Micros = 60_000_000;
const hour = 60 * minute;
const day = 24 * hour;

const offsets = [
  0,
  minute,
  2 * minute,
  59 * minute,
  hour,
  3 * hour,
  23 * hour,
  day,
  2 * day,
  6 * day,
  7 * day,
  8 * day,
];
const moreOffsets = [13 * day, 14 * day, 15 * day, 29 * day, 30 * day, 31 * day];

/** Numbers from 0 to 1, the same in every run with one seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const vendors = ['netent', 'evolution', 'Ö-games'] as const;
export const games = ['starburst', 'roulette'] as const;
export const bonusCodes = ['WELCOME', 'RELOAD'] as const;
export const customTypes = ['wheel', 'level_up'] as const;
export const expiries = ['2026-04-30T10:00:00Z', '2026-05-01T13:00:00Z', '2026-05-03'] as const;
export const amounts = [0.5, 1, 9.99, 10, 50, 250.25] as const;

/** The events of `players` players; the first one has none. */
export function histories(options: { seed: number; now: Micros; players: number; eventsEach: number }): Publication[] {
  const random = randomNumbers(options.seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const moment = () => {
    const near = pick([0, 0, 1, -1, 17_000_000]);
    const back = pick([...offsets, ...offsets, ...moreOffsets]);
    // At most a few minutes ahead, like operators' clocks.
    return momentText(options.now - back + (back === 0 ? pick([0, near, 2 * minute]) : near));
  };
  let id = 0;
  const publications: Publication[] = [];
  for (let player = 1; player < options.players; player++) {
    const user_id = `player-${player}`;
    publications.push({ kind: 'registration', body: { user_id, timestamp: moment(), origin: 'web' } });
    for (let n = 0; n < options.eventsEach; n++) publications.push(...eventsOf(user_id, String(id++), moment, pick));
  }
  return publications;
}

type Pick = <T>(values: readonly T[]) => T;

function eventsOf(user_id: string, id: string, moment: () => string, pick: Pick): Publication[] {
  const money = { amount: pick(amounts), currency: 'EUR', exchange_rate: 1, origin: pick(['web', 'app']) };
  const event = (kind: EventKind, body: Record<string, unknown>): Publication => ({ kind, body: { user_id, ...body } });
  const timestamp = moment();
  const kinds: (() => Publication[])[] = [
    () => {
      const vendor_id = pick(['visa', 'skrill', '']);
      const payment = (status: string, at: string) =>
        event('payment', {
          ...paymentBody({ user_id, payment_id: id, status, type: pick(['Credit', 'Credit', 'Debit']), timestamp: at }),
          ...money,
          vendor_id: vendor_id === '' ? 'visa' : vendor_id,
          note: pick(['declined', 'limit', undefined]),
          bonus_code: pick([...bonusCodes, undefined]),
        });
      const ends = pick([[], [], ['Rollback'], ['Rejected'], ['Cancelled']]);
      return [
        payment(pick(['Approved', 'Approved', 'Requested']), timestamp),
        ...ends.map((end) => payment(end, moment())),
      ];
    },
    () => [event('login', { timestamp, is_impersonated: pick([false, false, true]) })],
    () => {
      const round = { round_id: id, game_id: pick(games), vendor_id: pick(vendors), is_round_end: pick([true, false]) };
      const activity = (type: string, at: string, more: object = {}) =>
        event('casino', { ...money, ...round, activity_id: `${id}-${type}`, type, timestamp: at, ...more });
      const win = pick([[], [activity('Win', timestamp, { amount: pick(amounts) })]]);
      const rollback = pick([[], [], [activity('Bet', timestamp, { status: 'Rollback' })]]);
      return [activity('Bet', timestamp), ...win, ...rollback];
    },
    () => {
      const sport = pick(['Football', 'Tennis']);
      const bets = [{ market: 'x', selections: [{ odds: 2.5, sports_name: sport, is_live: pick([true, false]) }] }];
      const bet = { ...money, activity_id: id, type: 'Bet', bet_type: pick(['Single', 'Combo']), bets, timestamp };
      const settlement = { ...money, activity_id: `${id}-s`, type: 'Settlement', activity_id_reference: id, bets };
      return [
        event('sports', bet),
        ...pick([
          [],
          [event('sports', { ...settlement, amount: pick(amounts), bet_type: 'Single', timestamp: moment() })],
        ]),
        ...pick([[], [], [event('sports', { ...bet, status: 'Rollback' })]]),
      ];
    },
    () => [
      event('lottery', {
        ...money,
        type: 'Bet',
        ticket_id: id,
        lottery_id: pick(['l1', 'l2']),
        draw_id: 'd',
        timestamp,
        draw_date: '2026-12-24T20:00:00Z',
        lines: [{ line_id: '1' }, { line_id: '2' }],
      }),
    ],
    () => [
      event('lottery_purchase', {
        ...money,
        transaction_id: id,
        status: pick(['Approved', 'Rejected']),
        timestamp,
        tickets: [
          { ticket_id: `${id}-1`, product_name: pick(['l1', 'l2']), draws: ['2026-12-24T20:00:00Z'] },
          { ticket_id: `${id}-2`, product_name: 'l3', draws: ['2026-12-24T20:00:00Z'] },
        ],
      }),
    ],
    () => [
      event('bonus', {
        ...money,
        user_bonus_id: id,
        bonus_id: 'b',
        product: pick(['Casino', 'Sportsbook']),
        timestamp,
        required_wagering_amount: pick([0, 100]),
        meta: pick([{}, { expires_at: pick(expiries) }]),
        type: 'ReloadBonus',
        status: pick(['Created', 'Completed', 'Reversed', 'Expired']),
        bonus_code: pick(bonusCodes),
        bonus_turned_real: pick([0, 2.5]),
      }),
    ],
    () => [
      event('cart', {
        ...money,
        cart_id: id,
        status: pick(['Successful', 'Abandoned']),
        type: 'Checkout',
        timestamp,
        items: [{ id: 'i', type: 't', name: 'n', amount: 1 }],
        payments: [],
      }),
    ],
    () => [event('custom', { notification_type: pick(customTypes), timestamp, origin: 'web', data: { spins: 1 } })],
    () => [event('site_event', { name: pick(['page', 'wheel']), event_id: id, timestamp, data: {} })],
    () => [
      event('message_event', {
        event_id: id,
        what: pick(['delivered', 'opened', 'clicked', 'bounced']),
        channel: pick(['email', 'sms']),
        provider: 'p',
        message_id: pick(['1', '2']),
        campaign_id: pick(['spring', 'c1']),
        timestamp,
      }),
    ],
    () => [
      event('balances', {
        timestamp,
        origin: 'web',
        balances: [
          { amount: pick(amounts), currency: 'EUR', key: pick(['real_money', 'bonus_money']), exchange_rate: 1 },
        ],
      }),
    ],
  ];
  return pick(kinds)();
}

/** Adds what look-ups at the operator, and messages, would have stored for some of the players. */
export async function addRecords(pool: Pool, options: { seed: number; now: Micros; brandId: number }): Promise<void> {
  const { seed, now, brandId } = options;
  const random = randomNumbers(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const { rows: players } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 order by player_id',
    [brandId],
  );
  const today = momentText(now).slice(5, 10);
  for (const { player_id } of players) {
    if (random() < 0.2) continue;
    const segmentation = {
      ...(random() < 0.7 && { vip_level: pick([0, 1, 3, 3.5, ' 2 ', 'gold', true]) }),
      ...(random() < 0.7 && { club: pick(['red', ' blue ', '', 7, false, ['x']]) }),
      ...(random() < 0.7 && { hot: pick([true, false, 'TRUE', '0', 1, 'maybe']) }),
      ...(random() < 0.7 && {
        joined: pick([
          '2026-05-01T10:00:00+02:00',
          '2026-04-30 08:00:00',
          '2026-02-31T10:00:00Z',
          '2026-04-30T8:27:58.123456789Z',
          'never',
        ]),
      }),
    };
    await pool.query(
      `insert into player_profile (player_id, birth_date, country, email, language, roles, is_blocked, is_excluded, blocked_in_doubt,
         excluded_in_doubt, registration_date, verified_at, segmentation, changed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now())`,
      [
        player_id,
        pick([`1990-${today}`, '1988-02-29', '1999-12-31', `2005-${today}`, null]),
        pick(['MT', 'SE', 'DE', null]),
        `p${player_id}@example.com`,
        pick(['en', 'de', null]),
        pick([['player'], ['player', 'vip'], [], null]),
        pick([true, false, false, null]),
        pick([true, false, false, false]),
        pick([true, false, false]),
        pick([true, false, false, false]),
        pick([momentText(now - 400 * day), null]),
        pick([momentText(now - hour), momentText(now - 7 * day), null]),
        segmentation,
      ],
    );
    if (random() < 0.8)
      await pool.query(
        `insert into player_sync (player_id, look_up, brand_id, done, lane, as_of) values ($1, 'blocks', $2, 1, 0, $3)
         on conflict (player_id, look_up) do update set as_of = excluded.as_of`,
        [player_id, brandId, pick([momentText(now - day), null])],
      );
    for (const type of ['Email', 'SMS']) {
      if (random() < 0.3) continue;
      await pool.query(
        `insert into player_consent (player_id, type_key, type, spelling, opted_in, in_doubt, source, as_of)
         values ($1, lower($2), $2, $2, $3, $4, 'look_up', now())`,
        [player_id, type, pick([true, true, false, null]), pick([true, false, false])],
      );
    }
    for (const type of ['Excluded', 'Blocked']) {
      if (random() < 0.6) continue;
      await pool.query(
        `insert into player_block (player_id, type_key, type, spelling, active, in_doubt, source, as_of)
         values ($1, lower($2), $2, $2, $3, $4, 'look_up', now())`,
        [player_id, type, pick([true, false, false, null]), pick([true, false, false, false])],
      );
    }
    await pool.query(
      `insert into player_protection (player_id, brand_id, excluded, blocked, noted_at) values ($1, $2, $3, $4, now())
       on conflict (player_id) do update set excluded = excluded.excluded, blocked = excluded.blocked`,
      [player_id, brandId, pick([true, false, false, false]), pick([true, false, false, false])],
    );
    for (let n = Math.floor(random() * 3); n > 0; n--) {
      const liveAt = momentText(now - pick(offsets) - pick([0, 1]));
      await pool.query(
        `insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
           footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url, campaign_id, created_at,
           created_by, state, state_since, live_at, read_at, shown_at)
         values (nextval('notification_number') * 64 + ($2::bigint & 63), $1, $2, $3, 'marketing', 'inbox', 'silent', 'Hello', '', '', '', '{}', '', '',
           '', '', '', $4, $5, 'test', 'live', $5, $5, $6, $6)`,
        [brandId, player_id, pick(['site', 'push']), pick(['c1', 'c2', null]), liveAt, pick([liveAt, null])],
      );
    }
  }
  await pool.query(
    `insert into segmentation_key (brand_id, key, kind, sample, first_seen_at, last_seen_at)
     select $1, key, kind, '1', now(), now()
     from (values ('vip_level', 'number'), ('club', 'text'), ('hot', 'boolean'), ('joined', 'timestamp')) s(key, kind)`,
    [brandId],
  );
}
