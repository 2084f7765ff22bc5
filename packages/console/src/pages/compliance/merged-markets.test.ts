import { expect, test } from 'vitest';
import { mergedMarkets } from './merged-markets.ts';

test('markets with the same name and policy are one, and the market with most players is first', () => {
  const markets = [
    { market: 'SE', policy: null, players: 5 },
    { market: 'mt', policy: null, players: 4 },
    { market: 'MT', policy: null, players: 3 },
    { market: 'gb', policy: 'GB', players: 2 },
    { market: null, policy: null, players: 1 },
  ];
  expect(mergedMarkets(markets, (market) => market.toUpperCase())).toEqual([
    { market: 'MT', policy: null, players: 7 },
    { market: 'SE', policy: null, players: 5 },
    { market: 'GB', policy: 'GB', players: 2 },
    { market: null, policy: null, players: 1 },
  ]);
});
