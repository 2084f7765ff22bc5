import { allTotals } from '../../../derive/index.ts';

/** The three tables of a family's totals, and how their rows are summed. */
export interface Buckets {
  /** Rows with `player_id`. */
  readonly lifetime: string;
  /** Rows with `player_id` and `day`. */
  readonly days: string;
  /** Rows with `player_id` and `hour`. */
  readonly hours: string;
  /** The lifetime has one row per player, so it is read without summing. */
  readonly single: boolean;
  /** SQL that sums a column over rows; `where` selects the rows. */
  sum(column: string, where?: string): string;
  /** How buckets of a column are combined into a window. last: the latest bucket with a value. */
  joined(column: string): 'sum' | 'most' | 'last';
}

export type Span = 'lifetime' | 'days' | 'hours';

export function bucketsOf(family: string): Buckets {
  const known = all.get(family);
  if (known === undefined) throw new Error(`there are no totals of ${family}`);
  return known;
}

const filter = (where: string | undefined) => (where === undefined ? '' : ` filter (where ${where})`);

const all = new Map<string, Buckets>([
  ...allTotals.map(({ spec }): [string, Buckets] => {
    const { family, biggest } = spec;
    return [
      family,
      {
        lifetime: `${family}_total`,
        days: `${family}_day`,
        hours: `${family}_hour`,
        single: (spec.by ?? []).length === 0,
        sum: (column, where) => {
          const of = column.endsWith('_first_at')
            ? 'min'
            : column.endsWith('_last_at') || biggest.includes(column)
              ? 'max'
              : 'sum';
          return `${of}(${column})${filter(where)}`;
        },
        joined: (column) => (biggest.includes(column) ? 'most' : 'sum'),
      },
    ];
  }),
  ['session', sessions()],
]);

/**
 * Sessions have no totals: their rows are the buckets (derive/families/sessions/read.ts). They belong to the moment at
 * which they began.
 */
function sessions(): Buckets {
  const rows = `(select *, date_trunc('hour', started_at, 'UTC') as hour, bet_sum - win_sum as loss,
                        trim_scale(extract(epoch from ended_at - started_at)) as seconds from session)`;
  const lost = (where: string) => filter([where, 'loss > 0'].join(' and '));
  const latest = 'order by started_at desc, vendor_id collate "C", game_id collate "C"';
  const measures: Record<string, (where: string) => string> = {
    count: (where) => `count(*)${filter(where)}`,
    length: (where) => `sum(seconds)${filter(where)}`,
    longest: (where) => `max(seconds)${filter(where)}`,
    loss_biggest: (where) => `max(loss)${lost(where)}`,
    last_loss: (where) => `(array_agg(loss ${latest})${filter(where)})[1]`,
    first_at: (where) => `min(started_at)${filter(where)}`,
    last_at: (where) => `max(started_at)${filter(where)}`,
  };
  const partsOf = (column: string) => /^(game|play)_session_(\w+)$/.exec(column)?.slice(1) ?? [];
  return {
    lifetime: rows,
    days: rows,
    hours: rows,
    single: false,
    sum: (column, where) => {
      const [scope = '', measure = ''] = partsOf(column);
      const of = measures[measure];
      if (of === undefined) throw new Error(`sessions have no ${column}`);
      return of([`scope = '${scope}'`, ...(where === undefined ? [] : [where])].join(' and '));
    },
    joined: (column) => {
      const [, measure] = partsOf(column);
      if (measure === 'last_loss') return 'last';
      return measure === 'longest' || measure === 'loss_biggest' ? 'most' : 'sum';
    },
  };
}
