import fc from 'fast-check';

/** A simple implementation of names of games, for tests: sorts all names ever sent of a game and takes the first. */

export interface Naming {
  value: string;
  /** YYYY-MM-DD */
  at: string;
}

/** The fields of a casino body about its game. */
export interface GameFields {
  vendor_id: string;
  game_id: string;
  timestamp: string;
  game_name?: string | undefined;
  game_type?: string | undefined;
  vendor_name?: string | undefined;
}

const optionalName = fc.constantFrom(undefined, '', ' ', 'B', 'a', 'Ä', 'Ä2');

/** There are few games, days and names, so that many events are about the same game. */
export const gameFields: fc.Arbitrary<GameFields> = fc.record({
  vendor_id: fc.constantFrom('1', '11'),
  game_id: fc.constantFrom('1', '2'),
  timestamp: fc.constantFrom('2026-04-28T23:59:59Z', '2026-04-29T00:00:00Z', '2026-04-29T12:00:00Z'),
  game_name: optionalName,
  game_type: optionalName,
  vendor_name: optionalName,
});

export function casinoBody(fields: GameFields) {
  return {
    user_id: 'u',
    activity_id: '1',
    type: 'Bet',
    round_id: '1',
    amount: 1,
    currency: 'EUR',
    exchange_rate: 1,
    is_round_end: false,
    origin: 'x',
    ...fields,
  };
}

/** The keys are `vendor <id>`, `name <vendor> <game>` and `type <vendor> <game>`. A key exists if at least one event contains its value. */
export function plainGames(bodies: readonly GameFields[]): Map<string, Naming> {
  const said = bodies.flatMap(({ vendor_id, game_id, timestamp, ...body }) => {
    const day = timestamp.slice(0, 10);
    return [
      { of: `vendor ${vendor_id}`, value: body.vendor_name, day },
      { of: `name ${vendor_id} ${game_id}`, value: body.game_name, day },
      { of: `type ${vendor_id} ${game_id}`, value: body.game_type, day },
    ];
  });
  const names = new Map<string, Naming>();
  const bytes = (text: string) => Buffer.from(text).toString('hex');
  for (const [of, own] of Map.groupBy(said, (each) => each.of)) {
    const values = own.flatMap(({ value, day }) => (value?.trim() ? [{ value, at: day }] : []));
    const newest = values
      .map(({ at }) => at)
      .sort()
      .at(-1);
    const first = values
      .filter(({ at }) => at === newest)
      .sort((a, b) => (bytes(a.value) < bytes(b.value) ? -1 : 1))[0];
    if (first !== undefined) names.set(of, first);
  }
  return names;
}
