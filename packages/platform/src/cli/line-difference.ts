/**
 * The line-by-line difference between two texts: `-` for removed lines, `+` for added ones, with context lines. Empty
 * if they are equal. Pure.
 */
export function lineDifference(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, next] = [before.split('\n'), after.split('\n')];
  const common = commonLengths(old, next);
  const lines: { sign: ' ' | '-' | '+'; text: string }[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    const [going = '', coming = ''] = [old[i], next[j]];
    if (i < old.length && j < next.length && going === coming) {
      lines.push({ sign: ' ', text: going });
      i++;
      j++;
    } else if (j >= next.length || (i < old.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ sign: '-', text: going });
      i++;
    } else {
      lines.push({ sign: '+', text: coming });
      j++;
    }
  }
  const isNear = (place: number) =>
    lines.slice(Math.max(0, place - around), place + around + 1).some(({ sign }) => sign !== ' ');
  return lines.flatMap(({ sign, text }, place) => (isNear(place) ? [`${sign} ${text}`.trimEnd()] : []));
}

/** The number of context lines before and after a change. */
const around = 2;

/** [i][j]: the length of the longest common subsequence of the remaining lines of both. */
function commonLengths(old: readonly string[], next: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(next.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[];
      const below = lengths[i + 1] as number[];
      row[j] = old[i] === next[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
}
