import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import { casinoBody, gameFields, type Naming, plainGames } from '../../../../testing/derive/families/games/plain.ts';
import type { DerivedEvent } from '../../event.ts';
import { gameCatalog, gameOf, vendorCatalog, vendorOf } from './learned.ts';

test('any order and repetition of the events of a batch gives the same names of games and vendors', () => {
  fc.assert(
    fc.property(
      fc
        .array(gameFields, { minLength: 1, maxLength: 20 })
        .chain((bodies) =>
          fc.tuple(fc.constant(bodies), fc.shuffledSubarray([...bodies, ...bodies], { minLength: bodies.length })),
        ),
      ([bodies, arrivals]) => {
        const all = [...arrivals, ...bodies.filter((body) => !arrivals.includes(body))];
        const events = all.map((body) => derivedEvent('casino', casinoBody(body), { player_id: 1, brand_id: 1 }));
        expect(namesOf(events)).toEqual(plainGames(bodies));
      },
    ),
    { numRuns: 1_000 },
  );
});

function namesOf(events: readonly DerivedEvent<'casino'>[]): Map<string, Naming> {
  const names = new Map<string, Naming>();
  const set = (name: string, naming: Naming | undefined) => naming && names.set(name, { ...naming });
  for (const { vendor_id, name } of vendorCatalog.learned(events.map(vendorOf))) set(`vendor ${vendor_id}`, name);
  for (const { vendor_id, game_id, name, type } of gameCatalog.learned(events.map(gameOf))) {
    set(`name ${vendor_id} ${game_id}`, name);
    set(`type ${vendor_id} ${game_id}`, type);
  }
  return names;
}
