/** A stake that counts for a group at one time. */
export interface PlainStake {
  group: string;
  bets: number;
  /** Stakes of all parts, in millionths. */
  stake: bigint;
}

/** A simple implementation of the favorite, for tests: most bets; ties by stake, then by the text. */
export function plainFavorite(stakes: readonly PlainStake[]): string | undefined {
  const groups = [...Map.groupBy(stakes, ({ group }) => group)].map(([group, own]) => ({
    group,
    bets: own.reduce((sum, { bets }) => sum + bets, 0),
    stake: own.reduce((sum, { stake }) => sum + stake, 0n),
  }));
  const named = groups.filter(({ group, bets }) => group !== '' && bets > 0);
  named.sort((a, b) => b.bets - a.bets || Number(b.stake - a.stake) || (a.group < b.group ? -1 : 1));
  return named[0]?.group;
}
