/**
 * One measured figure, as a JSON line (docs: bench/README.md). `ratio` is value / reference, both measured in one run on one
 * machine.
 */
export interface Figure {
  bench: string;
  figure: string;
  value: number;
  unit: string;
  /** The reference for the figure, measured in the same run; absent for absolute figures. */
  reference?: { name: string; value: number };
  /** The project's target: the ratio is at least this, or the value is at most this. */
  at_least_ratio?: number;
  at_most?: number;
}

/** Prints the figure and returns whether it meets its target; undefined if it has none. */
export function report(figure: Figure): boolean | undefined {
  const ratio = figure.reference ? figure.value / figure.reference.value : undefined;
  process.stdout.write(
    `${JSON.stringify({
      bench: figure.bench,
      figure: figure.figure,
      value: rounded(figure.value),
      unit: figure.unit,
      reference: figure.reference ? { name: figure.reference.name, value: rounded(figure.reference.value) } : null,
      ratio: ratio === undefined ? null : Math.round(ratio * 1000) / 1000,
      at_least_ratio: figure.at_least_ratio,
      at_most: figure.at_most,
    })}\n`,
  );
  if (figure.at_least_ratio !== undefined && ratio !== undefined) return ratio >= figure.at_least_ratio;
  if (figure.at_most !== undefined) return figure.value <= figure.at_most;
  return undefined;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('an empty list has no median');
  return middle;
}

function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
