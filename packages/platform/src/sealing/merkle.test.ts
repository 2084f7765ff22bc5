import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { proofOf, rootByProof, rootOf } from './merkle.ts';

const leaves = (count: number) => Array.from({ length: count }, (_, n) => createHash('sha256').update(`${n}`).digest());

test.each([1, 2, 3, 4, 5, 7, 8, 9, 100, 2_000])(
  'every one of %i leaves proves its place, and no other leaf can',
  (count) => {
    const all = leaves(count);
    const root = rootOf(all);
    const places = [0, 1, Math.floor(count / 2), count - 1].filter((place) => place < count);
    for (const place of places) {
      const proof = proofOf(all, place);
      expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      expect(rootByProof(all[place] as Buffer, proof)).toEqual(root);
      expect(rootByProof(createHash('sha256').update('another').digest(), proof)).not.toEqual(root);
    }
  },
);

test('the root of three leaves is that of RFC 6962', () => {
  const [a, b, c] = leaves(3) as [Buffer, Buffer, Buffer];
  const node = (left: Buffer, right: Buffer) =>
    createHash('sha256')
      .update(Buffer.concat([Buffer.of(1), left, right]))
      .digest();
  expect(rootOf([a, b, c])).toEqual(node(node(a, b), c));
});
