import { expect, test } from 'vitest';
import { costPerRun, rewardChanges } from './reward-changes.ts';

const document = (...steps: object[]) => ({ code: 'gift', steps });
const money = (amount: string, currency = 'EUR') => ({
  id: 'money',
  credit_funds: { bonus_code: 'CASH', amount, currency },
});

test('every bonus is listed with its terms before and after, also in the arms of a branch', () => {
  const before = document(money('10'), { id: 'old', credit: { bonus_code: 'TEN' } });
  const offer = { id: 'claim', offer: { bonus_code: 'SPINS', expires_in: 'P3D' } };
  const after = document(money('25'), { id: 'who', branch: [{ otherwise: [offer] }] });
  expect(rewardChanges(before, after)).toEqual([
    {
      step: 'money',
      kind: 'credit_funds',
      how: 'changed',
      terms: [
        { term: 'bonus_code', before: 'CASH', after: 'CASH' },
        { term: 'amount', before: '10', after: '25' },
        { term: 'currency', before: 'EUR', after: 'EUR' },
      ],
    },
    {
      step: 'claim',
      kind: 'offer',
      how: 'added',
      terms: [
        { term: 'bonus_code', before: undefined, after: 'SPINS' },
        { term: 'expires_in', before: undefined, after: 'P3D' },
      ],
    },
    { step: 'old', kind: 'credit', how: 'removed', terms: [{ term: 'bonus_code', before: 'TEN', after: undefined }] },
  ]);
  expect(rewardChanges(undefined, after).map(({ how }) => how)).toEqual(['added', 'added']);
  expect(rewardChanges(after, after).map(({ how }) => how)).toEqual(['unchanged', 'unchanged']);
  expect(rewardChanges(document({ id: 'tag', tag: 'seen' }), document())).toEqual([]);
});

test('the cost of a run is exact, and unknown if the cost of one bonus is unknown', () => {
  const credit = { id: 'ten', credit: { bonus_code: 'TEN' } };
  expect(costPerRun(document(), 'EUR', {})).toBe('0');
  expect(costPerRun(document(money('10.10'), credit), 'EUR', { TEN: '0.2' })).toBe('10.3');
  expect(costPerRun(document(money('10'), credit), 'EUR', {})).toBe(null);
  expect(costPerRun(document(money('10', 'SEK')), 'EUR', {})).toBe(null);
  expect(costPerRun(document({ id: 'c', credit: { bonus_code: 'constructor' } }), 'EUR', {})).toBe(null);
});
