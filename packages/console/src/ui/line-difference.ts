export interface DifferenceLine {
  sign: ' ' | '-' | '+';
  line: string;
}

/**
 * Returns the lines of two texts. Each line is marked as common, removed or added, by the longest common subsequence.
 */
export function lineDifference(former: string, latter: string): DifferenceLine[] {
  const before = former.split('\n');
  const after = latter.split('\n');
  // common[i][j] is the number of common lines from i and j on.
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      (common[i] as number[])[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DifferenceLine[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (i < before.length && before[i] === after[j]) {
      lines.push({ sign: ' ', line: before[i++] ?? '' });
      j++;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push({ sign: '-', line: before[i++] ?? '' });
    else lines.push({ sign: '+', line: after[j++] ?? '' });
  }
  return lines;
}
