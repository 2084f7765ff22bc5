import { expect, test } from 'vitest';
import { Slots } from '../../outgoing/index.ts';
import { PushHosts } from './hosts.ts';

const due = (hosts: readonly string[], each: number) => hosts.map((host) => ({ host, due: each }));
const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
/** Creates hosts of which the given ones are proven. */
function withProven(...proven: string[]) {
  const hosts = new PushHosts();
  for (const host of proven) hosts.record(host, true);
  const slots = new Slots<ReturnType<PushHosts['placeOf']>>(({ host }) => host);
  const passedOver: string[] = [];
  const free = (wanted: readonly { host: string; due: number }[]) =>
    slots
      .grant(
        wanted.map((one) => hosts.placeOf(one)),
        ({ host }) => passedOver.push(host),
      )
      .map(({ name, free }) => [name, free] as const);
  const take = (host: string) => slots.take(host, hosts.placeOf({ host, due: 1 }).group);
  return { hosts, free, take, passedOver };
}

test('a host gets slots for due deliveries only', () => {
  const retrying = names('retrying', 4);
  const { free, passedOver } = withProven(...retrying, 'busy');
  const all = [...retrying, 'later', 'busy'];
  expect(free(due(all, 1))).toEqual(all.map((host) => [host, 1]));
  expect(passedOver).toEqual([]);
  expect(free([{ host: 'busy', due: 17 }])).toEqual([['busy', 16]]);
});

test('neither kind of host takes the slots of the other; the first host without slots is reported', () => {
  const proven = names('proven', 4);
  const unknown = names('unknown', 17);
  const { hosts, free, passedOver } = withProven(...proven);
  const granted = free([...due(unknown, 3), ...due(proven, 16)]);
  const sum = (of: string[]) => granted.reduce((all, [host, slots]) => all + (of.includes(host) ? slots : 0), 0);
  expect([sum(unknown), sum(proven)]).toEqual([16, 48]);
  expect(passedOver[0]).toBe('unknown16');
  // The host that answered longest ago is first.
  hosts.record('proven0', true);
  expect(hosts.proven[0]).toBe('proven1');
});

test('an answer proves a host, a timeout ends that, and a call that was not made changes nothing', () => {
  const { hosts, free, take } = withProven('a');
  take('a')();
  expect(hosts.isProven('a')).toBe(true);
  hosts.record('a', false);
  expect(hosts.isProven('a')).toBe(false);
  const giveBack = take('a');
  expect(free(due(['a'], 5))).toEqual([]);
  giveBack();
  hosts.record('a', true);
  expect(free(due(['a'], 5))).toEqual([['a', 5]]);
});
