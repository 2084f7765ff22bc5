import { traitChapters } from './catalogue.ts';
import type { Trait, TraitWindows, Unit } from './trait.ts';

/** Generates docs/guides/traits.md from the catalogue. */
export function traitsGuide(): string {
  const chapters = traitChapters.map(({ title, traits }) => `## ${title}\n\n${tableOf(traits)}`);
  return `${[introduction, ...chapters].join('\n\n')}\n`;
}

const introduction = `# Traits

Numbers, dates and names that the platform keeps about each player. This page is generated from the catalogue in
\`packages/platform/src/derive/traits\` (\`npm run docs\`). \`GET /api/console/v1/traits\` returns the same catalogue, and
\`GET /api/console/v1/brands/:brand/players/:user_id\` returns a player's values.

- **Amounts** are in the brand's base currency (amount x exchange_rate), exact, as decimal text. Averages and ratios are computed from sums and
  have at most 10 fraction digits. They are null for a division by zero.
- **Lifetime** is the plain name, such as \`deposit_sum\`. It begins with the first event that the platform received.
- **Every window** means that the trait also exists as \`deposit_sum_24h\` (1 to 48 hours: the current UTC hour and the hours before it),
  \`deposit_sum_today\` and \`deposit_sum_7d\` (1 to 366 days: calendar days of the brand's time zone, including today). \`deposit_sum_prev_7d\` (1 to 366 days) covers the same number of
  days before those, so a decline is \`deposit_sum_7d\` less than \`deposit_sum_prev_7d\`. Windows move with the clock; no event has to arrive. By default a player is shown with \`24h\`, \`today\`, \`7d\` and \`30d\`; \`?windows=\` selects others.
- **Favourites** exist for the lifetime, as \`..._30d\` and as \`..._90d\`.
- **Days** are calendar days of the brand: 0 is today, 1 is yesterday. \`days_since_deposit\` is 7 or more exactly if \`deposit_count_7d\` is 0.
- **In force**: when several events describe one fact, the event in force is the one that counts. It was accepted and not rolled back, and if
  events contradict each other, a rule selects it.
- **Real, bonus and locked part**: the type of money in a bet or win. In a bet, \`bonus_wager_amount\` and \`locked_wager_amount\` count up to its
  amount, and the rest is real. In a win, the parts count if they add up to its amount; otherwise all of it is real. A sports bet is bonus money if all
  its selections are free bets. In a lottery purchase (v1) \`bonus_amount\` is bonus money; a lottery ticket (v2) is real money.
- **Personal** traits are masked for accounts that may not see personal data.
- **Kinds** are those of \`GET /api/console/v1/traits\`: a \`timestamp\` is a moment, a \`breakdown\` has a value for each of several names.
- An event that was rolled back, rejected or contradicted is in no count, amount, average, biggest value or date of its fact, as if it had never been
  sent; \`deposit_rejected_...\` and \`deposit_cancelled_...\` count such deposits separately. It still counts as activity:
  \`first_event_at\`, \`last_event_at\` and \`days_since_event\` include every event, and a session includes
  the time of rounds that were rolled back, because the player was there.`;

const windowWords: Record<TraitWindows, string> = {
  every: 'lifetime, every window',
  favourite: 'lifetime, 30d, 90d',
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
