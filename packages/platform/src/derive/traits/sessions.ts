import type { Trait } from './trait.ts';
import { amount, count, daysSince, moment } from './wording.ts';

type Scope = { scope: 'game' | 'play'; what: string; formula: string };

/**
 * A whole session belongs to the moment at which it starts: a window contains the sessions that started in it
 * (docs/decisions/0801).
 */
function scopeTraits({ scope, what, formula }: Scope): Trait[] {
  const name = `${scope}_session`;
  const length = { sum: [`session.${name}_length`] } as const;
  const duration = { kind: 'duration', unit: 'seconds', windows: 'every' } as const;
  const last = moment(
    {
      name: `${name}_last_at`,
      meaning: `Start of the latest ${scope} session.`,
      formula: `latest start of ${formula}`,
    },
    { last: [`session.${name}_last_at`] },
  );
  return [
    count(
      { name: `${name}_count`, meaning: `Number of ${what}.`, formula: `count of ${formula}` },
      `session.${name}_count`,
    ),
    {
      ...duration,
      name: `${name}_length`,
      meaning: `Total length of all ${what}.`,
      formula: `sum of last activity - first activity of ${formula}`,
      source: { from: 'totals', formula: length },
    },
    {
      ...duration,
      name: `${name}_length_average`,
      meaning: `Average length of ${what}.`,
      formula: `${name}_length / ${name}_count; null if there is no session`,
      source: { from: 'totals', formula: { ratio: length, to: { sum: [`session.${name}_count`] } } },
    },
    {
      ...duration,
      name: `${name}_longest`,
      meaning: `Length of the longest ${scope} session.`,
      formula: `largest length of ${formula}`,
      source: { from: 'totals', formula: { biggest: [`session.${name}_longest`] } },
    },
    amount(
      {
        name: `${name}_last_loss`,
        meaning: `Loss in the latest ${scope} session: its bets minus its wins. Below 0 if the player won.`,
        formula: `bets - wins, of all money, of the rounds that began in the latest of the ${formula}`,
      },
      { biggest: [`session.${name}_last_loss`] },
    ),
    amount(
      {
        name: `${name}_loss_biggest`,
        meaning: `Biggest loss in one ${scope} session. Null if no session had a loss.`,
        formula: `largest bets - wins, of all money, of the rounds that began in one of the ${formula}`,
      },
      { biggest: [`session.${name}_loss_biggest`] },
    ),
    last,
    daysSince(`days_since_${name}`, last, `Days since the latest ${scope} session began; 0 is today.`),
  ];
}

export const sessionTraits: readonly Trait[] = [
  ...scopeTraits({
    scope: 'game',
    what: 'game sessions',
    formula: 'game sessions (rounds in one game without a gap longer than session_gap_minutes)',
  }),
  ...scopeTraits({
    scope: 'play',
    what: 'play sessions',
    formula: 'play sessions (rounds in any games without a gap longer than session_gap_minutes)',
  }),
];
