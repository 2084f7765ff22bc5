import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const root = path.resolve(import.meta.dirname, '../../..');
const locked = (
  JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
).packages;

/** `npm ci` refuses a lock file that lacks a platform's package, even on other platforms; `npm install` may write such a file. */
test('the lock file has the packages of every platform, so that `npm ci` works on each', () => {
  const missing = Object.entries(locked).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => locked[`node_modules/${name}`] === undefined && locked[`${place}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

/** The package keeps a list of the formats of signatures. If there is a second copy of it, no passkey's signature can be read. */
test('the lock file has one copy of @peculiar/asn1-schema', () => {
  const copies = Object.keys(locked).filter((place) => place.endsWith('node_modules/@peculiar/asn1-schema'));
  expect(copies).toEqual(['node_modules/@peculiar/asn1-schema']);
});

test('the lock file names no address of a registry', () => {
  const addressed = Object.values(locked).filter(({ resolved }) => resolved?.startsWith('http'));
  expect(addressed).toEqual([]);
});
