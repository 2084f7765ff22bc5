interface SparkBarsProps {
  values: readonly number[];
  /** Description for screen readers. */
  label: string;
}

const [width, height, gap] = [240, 36, 1];

/** Shows numbers over time as bars, the oldest first. The highest bar has the full height. */
export function SparkBars({ values, label }: SparkBarsProps) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {values.map((value, place) => {
        const tall = (value / most) * height;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a bar
          <rect key={place} x={place * step} y={height - tall} width={step - gap} height={tall} />
        );
      })}
    </svg>
  );
}
