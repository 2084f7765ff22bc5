import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf } from '../../../database/index.ts';
import { factTable } from '../../facts/index.ts';
import { longEndOf } from '../sessions/index.ts';
import type { Lookup } from './decide.ts';
import { decode, encode } from './encode.ts';
import { roundGap } from './message.ts';
import type { HeldRound, Round, RoundFact, RoundState } from './round.ts';

/** What to load: the rounds of a key within 72 h of a time span, and all rounds under lookups. */
export interface Wanted {
  keys: readonly { player_id: number; round_key: number; from: Micros; until: Micros }[];
  lookups: readonly Omit<Lookup, 'round_key'>[];
}

/** A round as loaded: its events are one text (encode.ts). */
type LoadedRound = HeldRound['state'] &
  Pick<Round, 'player_id' | 'round_key' | 'vendor_id' | 'game_id' | 'round_id'> & { events: string };

/** The row of live.round. */
interface StoredRound extends LoadedRound, Omit<RoundState, keyof HeldRound['state'] | 'held_from' | 'held_to'> {
  long_end_at: Micros | null;
  /** Null if it equals first_at. */
  held_from: Micros | null;
  /** Null if it equals last_at. */
  held_to: Micros | null;
}

export const roundTable = factTable<LoadedRound, 'player_id' | 'round_key' | 'first_at', StoredRound>({
  name: 'round',
  key: { player_id: 'bigint', round_key: 'bigint', first_at: 'timestamptz' },
  columns: {
    last_at: 'timestamptz',
    day: 'date',
    played: 'boolean',
    counted: 'boolean',
    bet_count: 'int',
    bet_sum: 'numeric',
    win_sum: 'numeric',
    vendor_id: 'text',
    game_id: 'text',
    round_id: 'text',
    events: 'text',
  },
  unread: {
    long_end_at: 'timestamptz',
    held_from: 'timestamptz',
    held_to: 'timestamptz',
    win_count: 'int',
    conflicts: 'smallint',
    orphans: 'smallint',
    from_casino: 'boolean',
    from_gameround: 'boolean',
    closed: 'boolean',
    unpriced: 'boolean',
    usual: 'boolean',
    far_to: 'timestamptz',
  },
});

export function storedRound({ round, state }: RoundFact): StoredRound {
  const { player_id, round_key, vendor_id, game_id, round_id } = round;
  const { first_at, last_at, held_from, held_to } = state;
  return {
    ...state,
    player_id,
    round_key,
    vendor_id,
    game_id,
    round_id,
    events: encode(round, state),
    long_end_at: longEndOf(state),
    held_from: held_from === first_at ? null : held_from,
    held_to: held_to === last_at ? null : held_to,
  };
}

/** The key of a round's row. */
export function rowKeyOf({ round, state }: HeldRound): Pick<LoadedRound, 'player_id' | 'round_key' | 'first_at'> {
  return { player_id: round.player_id, round_key: round.round_key, first_at: state.first_at };
}

/** Where activities are stored. All columns of a row are part of its key. */
export const lookupTable = factTable<Lookup, keyof Lookup>({
  name: 'casino_activity',
  key: { player_id: 'bigint', lookup: 'bigint', round_key: 'bigint' },
  columns: {},
});

interface KeySpan {
  player_id: number;
  round_key: number;
  since: Micros;
  until: Micros;
}

const keySpans = columnsOf<KeySpan>({
  player_id: 'bigint',
  round_key: 'bigint',
  since: 'timestamptz',
  until: 'timestamptz',
});
const wantedLookups = columnsOf<Omit<Lookup, 'round_key'>>({ player_id: 'bigint', lookup: 'bigint' });
// `offset 0` keeps the planner from joining whole tables. Each key is then a few index lookups in `round`.
const loadStatement = `
  select ${roundTable.columns.read('r')} from (
    select player_id, round_key, since, until from ${keySpans.given('k')}
    union all
    select l.player_id, a.round_key, '-infinity', 'infinity'
    from ${wantedLookups.given('l', keySpans.list.length + 1)}
    cross join lateral (
      select round_key from casino_activity where player_id = l.player_id and lookup = l.lookup offset 0
    ) a
  ) k
  cross join lateral (
    select * from round
    where player_id = k.player_id and round_key = k.round_key
      and coalesce(held_from, first_at) <= k.until and coalesce(held_to, last_at) >= k.since
    offset 0
  ) r`;

/** The rounds that a batch may change, by player, in one statement whatever the size of the batch. */
export async function loadRounds(tx: ClientBase, wanted: Wanted): Promise<Map<number, HeldRound[]>> {
  const { keys, lookups } = wanted;
  const spans = keys.map(({ player_id, round_key, from, until }) => {
    return { player_id, round_key, since: from - roundGap, until: until + roundGap };
  });
  const { rows } = await tx.query<LoadedRound>({
    name: 'load_rounds',
    text: loadStatement,
    values: [...keySpans.values(spans), ...wantedLookups.values(lookups)],
  });
  const loaded = new Map<number, HeldRound[]>();
  const seen = new Set<string>();
  for (const row of rows) {
    // A repeat finds its round twice: by the round's key and by its own lookup.
    const name = `${row.player_id}:${row.round_key}:${row.first_at}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const own = loaded.get(row.player_id);
    if (own === undefined) loaded.set(row.player_id, [heldRound(row)]);
    else own.push(heldRound(row));
  }
  return loaded;
}

function heldRound({ player_id, round_key, vendor_id, game_id, round_id, events, ...state }: LoadedRound): HeldRound {
  return { round: { player_id, round_key, vendor_id, game_id, round_id, ...decode(events, state) }, state };
}
