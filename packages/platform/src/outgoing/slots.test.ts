import { expect, test } from 'vitest';
import { type Place, Slots } from './slots.ts';

interface Host extends Place {
  host: string;
}
const slotsOf = () => new Slots<Host>(({ host }) => host);
const names = (slots: Slots<Host>, places: Host[]) => slots.grant(places).map(({ name, free }) => [name, free]);

test('a place takes only its own slots, and a limit of 0 grants none', () => {
  const slots = slotsOf();
  const places = [
    { host: 'a', limit: 2 },
    { host: 'b', limit: 2 },
    { host: 'open circuit', limit: 0 },
  ];
  const give = slots.take('a');
  slots.take('a');
  expect(names(slots, places)).toEqual([['b', 2]]);
  give();
  give();
  expect(names(slots, places)).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(slots.inUse).toBe(1);
});

test('slots are granted for due rows only', () => {
  expect(
    names(slotsOf(), [
      { host: 'a', limit: 16, due: 3 },
      { host: 'b', limit: 16, due: 0 },
    ]),
  ).toEqual([['a', 3]]);
});

test('places share the limit of their group in order; those that get nothing are reported; other groups are not affected', () => {
  const slots = slotsOf();
  const group = { name: 'unknown hosts', limit: 3 };
  slots.take('a', group);
  const passedOver: string[] = [];
  const granted = slots.grant(
    [
      { host: 'b', limit: 1, due: 9, group },
      { host: 'c', limit: 5, due: 9, group },
      { host: 'd', limit: 1, due: 9, group },
      { host: 'e', limit: 1, due: 9, group: { name: 'known hosts', limit: 1 } },
    ],
    ({ host }) => passedOver.push(host),
  );
  expect(granted.map(({ name, free }) => [name, free])).toEqual([
    ['b', 1],
    ['c', 1],
    ['e', 1],
  ]);
  expect(passedOver).toEqual(['d']);
});

test('a freed slot triggers another round once a quarter of a full place is free, or if its group is crowded', () => {
  const slots = slotsOf();
  const [granted] = [slots.grant([{ host: 'a', limit: 8 }])];
  const given = Array.from({ length: 8 }, () => slots.take('a'));
  slots.remember(granted, new Map([['a', 8]]));
  expect(given.map((give) => give().isWanted)).toEqual([false, true, true, true, true, true, true, true]);

  const quiet = slotsOf();
  const giveQuiet = quiet.take('a');
  quiet.remember(quiet.grant([{ host: 'a', limit: 8 }]), new Map([['a', 1]]));
  expect(giveQuiet()).toEqual({ isWanted: false });

  const crowded = slotsOf();
  const group = { name: 'all', limit: 1 };
  const giveCrowded = crowded.take('a', group);
  const passedOver = [{ host: 'b', limit: 1, due: 1, group }];
  crowded.grant(passedOver);
  expect(giveCrowded()).toEqual({ isWanted: true });
});

test('unused slots of a crowded group trigger another round', () => {
  const slots = slotsOf();
  const group = { name: 'all', limit: 1 };
  const places = ['a', 'b'].map((host) => ({ host, limit: 1, due: 1, group }));
  const granted = slots.grant(places);
  expect(slots.remember(granted, new Map([['a', 1]]))).toBe(false);
  expect(slots.remember(granted, new Map())).toBe(true);
  expect(() => slots.grant([{ host: 'a', limit: 1, group }])).toThrow('has a group, so `due` is required');
});
