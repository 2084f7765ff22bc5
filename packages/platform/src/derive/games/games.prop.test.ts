import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent } from '../test-event.ts';
import { type Learned, learnedFrom } from './learned.ts';
import { casinoBody, gameFields, type Naming, plainGames } from './plain.ts';

test('any order and repetition of the events of a batch names games and vendors alike', () => {
  fc.assert(
    fc.property(
      fc
        .array(gameFields, { minLength: 1, maxLength: 20 })
        .chain((bodies) =>
          fc.tuple(fc.constant(bodies), fc.shuffledSubarray([...bodies, ...bodies], { minLength: bodies.length })),
        ),
      ([bodies, arrivals]) => {
        const all = [...arrivals, ...bodies.filter((body) => !arrivals.includes(body))];
        const learned = learnedFrom(
          all.map((body) => derivedEvent('casino', casinoBody(body), { player_id: 1, brand_id: 1 })),
        );
        expect(namesOf(learned)).toEqual(plainGames(bodies));
      },
    ),
    { numRuns: 1_000 },
  );
});

function namesOf({ games, vendors }: Learned): Map<string, Naming> {
  const names = new Map<string, Naming>();
  const set = (name: string, naming: Naming | undefined) => naming && names.set(name, { ...naming });
  for (const { vendor_id, name } of vendors) set(`vendor ${vendor_id}`, name);
  for (const { vendor_id, game_id, name, type } of games) {
    set(`name ${vendor_id} ${game_id}`, name);
    set(`type ${vendor_id} ${game_id}`, type);
  }
  return names;
}
