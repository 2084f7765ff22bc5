import { expect, test } from 'vitest';
import { HostSlots } from './host-slots.ts';

const due = (hosts: readonly string[], each: number) => hosts.map((host) => ({ host, due: each }));
const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
function withProven(...hosts: string[]): HostSlots {
  const slots = new HostSlots();
  for (const host of hosts) slots.take(host)(true);
  return slots;
}

test('a host takes slots for what is due there, and no more', () => {
  const retrying = names('retrying', 4);
  const slots = withProven(...retrying, 'busy');
  const { slots: granted, passedOver } = slots.free(due([...retrying, 'later', 'busy'], 1));
  expect(granted.map(({ host, free }) => [host, free])).toEqual(
    [...retrying, 'later', 'busy'].map((host) => [host, 1]),
  );
  expect(passedOver).toBeNull();
  expect(slots.free([{ host: 'busy', due: 17 }]).slots).toEqual([{ host: 'busy', free: 16, more: true }]);
});

test('neither kind of host takes the slots of the other; the first that got none is named', () => {
  const proven = names('proven', 4);
  const unknown = names('unknown', 17);
  const slots = withProven(...proven);
  const { slots: granted, passedOver } = slots.free([...due(unknown, 3), ...due(proven, 16)]);
  const sum = (hosts: string[]) => granted.reduce((all, { host, free }) => all + (hosts.includes(host) ? free : 0), 0);
  expect([sum(unknown), sum(proven)]).toEqual([16, 48]);
  expect(passedOver).toBe('unknown16');
  // The one that answered longest ago is first.
  slots.take('proven0')(true);
  expect(slots.proven[0]).toBe('proven1');
});

test('an answer proves a host, silence ends that, and a call that was not made says nothing', () => {
  const slots = withProven('a');
  slots.take('a')(null);
  expect(slots.isProven('a')).toBe(true);
  slots.take('a')(false);
  expect(slots.isProven('a')).toBe(false);
  const open = slots.take('a');
  expect(slots.free(due(['a'], 5)).slots).toEqual([]);
  open(true);
  expect(slots.free(due(['a'], 5)).slots).toEqual([{ host: 'a', free: 5, more: false }]);
});
