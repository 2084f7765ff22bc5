import { traitChapters } from './catalog.ts';
import type { Trait, TraitWindows, Unit } from './trait.ts';

/** Generates docs/guides/traits.md from the catalog. */
export function traitsGuide(): string {
  const chapters = traitChapters.map(({ title, traits }) => `## ${title}\n\n${tableOf(traits)}`);
  return `${[introduction, ...chapters].join('\n\n')}\n`;
}

const introduction = `# Traits

A trait is a number, date or name that the platform keeps for each player. \`npm run docs\` generates this page from the catalog in
\`packages/platform/src/derive/traits\`. \`GET /api/console/v1/traits\` returns the same catalog.
\`GET /api/console/v1/brands/:brand/players/:user_id\` returns the values of a player.

- **Amounts** are in the brand's base currency (amount x exchange_rate), exact, as decimal strings. Averages and ratios are computed from sums
  and have at most 10 fraction digits. They are null if there is nothing to divide by.
- **Lifetime** traits have the plain name, such as \`deposit_sum\`. The lifetime begins with the first event that the platform received.
- **Every window** means that these traits also exist:
  - \`deposit_sum_24h\`: 1 to 48 hours, the current UTC hour and the hours before
  - \`deposit_sum_today\`
  - \`deposit_sum_7d\`: 1 to 366 days, calendar days in the brand's time zone, including today
  - \`deposit_sum_prev_7d\`: 1 to 366 days, the same number of days before those. The change is \`deposit_sum_7d\` minus
    \`deposit_sum_prev_7d\`.

  Windows move with the clock, without new events. The call for one player returns the windows \`24h\`, \`today\`, \`7d\` and \`30d\`. To get other
  windows, use \`?windows=\`.
- **Favorites** exist for the lifetime, as \`..._30d\` and as \`..._90d\`.
- **Days** are calendar days of the brand: 0 is today, 1 is yesterday. \`days_since_deposit\` is null for a player who has never deposited.
  Otherwise it is 7 or more if and only if \`deposit_count_7d\` is 0.
- **In force**: when several events describe one fact, the event in force is the one that counts. It was accepted and not rolled back. If events
  contradict each other, a rule decides which one is in force.
- **Real, bonus and locked part** are the parts of a bet or win. Locked money is the player's own money that a bonus holds. For a bet,
  \`bonus_wager_amount\` and \`locked_wager_amount\` count up to the amount of the bet, and the rest is real. For a win, the parts count if they add up
  to its amount; otherwise all is real. A sports bet is bonus money if all its selections are free bets. For a lottery purchase (v1),
  \`bonus_amount\` is bonus money. A lottery ticket (v2) is real money.
- **Personal** traits are masked for accounts that may not see personal data.
- **Kinds** have the same names as in \`GET /api/console/v1/traits\`. A \`timestamp\` is a time; a \`breakdown\` has a value for each of several names.
- **Events that do not count**: what was rolled back, rejected or contradicted is not part of any count, amount, average, biggest value or date, as
  if it had never been sent. \`deposit_rejected_...\` and \`deposit_cancelled_...\` count such deposits separately. These events still count as
  activity: \`first_event_at\`, \`last_event_at\` and \`days_since_event\` include every event. A session also covers the time of rounds that
  were rolled back, because the player was there.`;

const windowWords: Record<TraitWindows, string> = {
  every: 'lifetime, every window',
  favorite: 'lifetime, 30d, 90d',
  lifetime: 'lifetime',
};

const unitWords: Record<Unit, string> = {
  count: '',
  base_currency: 'base currency',
  ratio: '',
  timestamp: '',
  days: 'days',
  years: 'years',
  seconds: 'seconds',
  id: 'id',
  text: '',
};

function tableOf(traits: readonly Trait[]): string {
  const rows = traits.map(({ name, kind, unit, windows, meaning, formula, personal }) => {
    const words = [kind, unitWords[unit], personal ? 'personal' : ''].filter((word) => word !== '').join(', ');
    return `| \`${name}\` | ${words} | ${windowWords[windows]} | ${meaning} | ${formula} |`;
  });
  return ['| Trait | Kind | Windows | Meaning | Formula |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}
