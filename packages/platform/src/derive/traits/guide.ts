import { traitChapters } from './catalogue.ts';
import type { Trait, TraitWindows, Unit } from './trait.ts';

/** Generates docs/guides/traits.md from the catalogue. */
export function traitsGuide(): string {
  const chapters = traitChapters.map(({ title, traits }) => `## ${title}\n\n${tableOf(traits)}`);
  return `${[introduction, ...chapters].join('\n\n')}\n`;
}

const introduction = `# Traits

Numbers, dates and names that the platform keeps of each player. This page is made from the catalogue in
\`packages/platform/src/derive/traits\` (\`npm run docs\`); \`GET /api/console/v1/traits\` answers the same, and
\`GET /api/console/v1/brands/:brand/players/:user_id\` a player's values.

- **Amounts** are in the brand's base currency (amount x exchange_rate), exact, as decimal text. Averages and ratios come from sums and
  have at most 10 fraction digits; they are null where there is nothing to divide by.
- **Lifetime** is the plain name, such as \`deposit_sum\`. It begins with the first event that the platform was given.
- **Every window** means that the trait also exists as \`deposit_sum_24h\` (1 to 48 hours: the current UTC hour and those before),
  \`deposit_sum_today\` and \`deposit_sum_7d\` (1 to 366 days: calendar days of the brand's time zone, today included). \`deposit_sum_prev_7d\` (1 to 366 days) is of as many
  days before those, so a decline is \`deposit_sum_7d\` less than \`deposit_sum_prev_7d\`. Windows move with the clock; no event has to arrive. A player is shown with \`24h\`, \`today\`, \`7d\` and \`30d\` unless \`?windows=\` asks for others.
- **Favourites** exist lifetime, as \`..._30d\` and as \`..._90d\`.
- **Days** are calendar days of the brand: 0 is today, 1 yesterday. \`days_since_deposit\` is 7 or more exactly where \`deposit_count_7d\` is 0.
- **In force** is the event that counts of those that tell the same: it was accepted, not rolled back, and of contradicting ones it is the
  one that stands.
- **Real, bonus and locked part**: whose money a bet or win is. Of a bet \`bonus_wager_amount\` and \`locked_wager_amount\` as far as its
  amount reaches, the rest is real; of a win the parts if they add up to its amount, else all is real. Of sports the bet is bonus money if all
  its selections are free bets; of a lottery purchase (v1) \`bonus_amount\` is, and a lottery ticket (v2) is real money.
- **Personal** traits are masked for those who may not see personal data.
- **Kinds** are those of \`GET /api/console/v1/traits\`: a \`timestamp\` is a moment, a \`breakdown\` a value for each of several names.
- What was rolled back, rejected or contradicted is in no count, amount, average, biggest or date of what it told of, as if it had never been sent;
  \`deposit_rejected_...\` and \`deposit_cancelled_...\` count such deposits by themselves. It
  was heard of all the same: \`first_event_at\`, \`last_event_at\` and \`days_since_event\` are of every event, and a session covers
  the time of rounds that were taken back, since the player was there.`;

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
