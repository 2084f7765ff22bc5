interface Market {
  market: string | null;
  policy: string | null;
  players: number;
}

/**
 * Adds the players of markets that have the same name and policy, such as the market `mt` and the country `MT`. Operators write codes
 * in both ways. Returns most players first. Pure.
 */
export function mergedMarkets(markets: readonly Market[], nameOf: (market: string) => string): Market[] {
  const merged = new Map<string, Market>();
  for (const { market, policy, players } of markets) {
    const name = market === null ? null : nameOf(market);
    const key = JSON.stringify([name, policy]);
    merged.set(key, { market: name, policy, players: players + (merged.get(key)?.players ?? 0) });
  }
  return [...merged.values()].sort((one, other) => other.players - one.players);
}
