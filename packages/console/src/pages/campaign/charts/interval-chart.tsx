import {
  CartesianGrid,
  ErrorBar,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { ChartFrame, gridColor, seriesColors, Tip, tick } from './frame.tsx';

export interface Interval {
  name: string;
  difference: number;
  low: number;
  high: number;
}

/** Height of a row and of the axis, in pixels. */
const rowHeight = 44;
const axisHeight = 44;

/**
 * Shows how each arm differs from the control arm, with a confidence interval. An interval that contains zero proves
 * nothing.
 */
export default function IntervalChart({ label, intervals }: { label: string; intervals: readonly Interval[] }) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const color = seriesColors[0];
  const shown = intervals.map((one) => ({ ...one, error: [one.difference - one.low, one.high - one.difference] }));
  return (
    <ChartFrame
      label={label}
      rows={intervals}
      keyOf={({ name }) => name}
      columns={[
        { title: words.arm, show: ({ name }) => name },
        { title: words.difference, align: 'right', show: ({ difference }) => number(difference) },
        { title: words.interval, align: 'right', show: ({ low, high }) => `${number(low)} – ${number(high)}` },
      ]}
    >
      <ResponsiveContainer width="100%" height={axisHeight + rowHeight * intervals.length}>
        <ScatterChart accessibilityLayer={false} margin={{ top: 8, right: 24, bottom: 0, left: 8 }}>
          <CartesianGrid stroke={gridColor} horizontal={false} />
          <XAxis
            type="number"
            dataKey="difference"
            tick={tick}
            stroke={gridColor}
            tickFormatter={number}
            domain={[
              Math.min(0, ...intervals.map(({ low }) => low)),
              Math.max(0, ...intervals.map(({ high }) => high)),
            ]}
          />
          <YAxis
            type="category"
            dataKey="name"
            tick={tick}
            stroke={gridColor}
            width={110}
            allowDuplicatedCategory={false}
          />
          <ReferenceLine x={0} stroke="var(--mantine-color-dimmed)" strokeWidth={2} />
          <Tooltip
            cursor={false}
            content={({ active, payload }) => {
              const point = payload?.[0]?.payload as Interval | undefined;
              if (!active || point === undefined) return null;
              return (
                <Tip
                  title={point.name}
                  lines={[
                    { name: words.difference, value: number(point.difference), color },
                    { name: words.interval, value: `${number(point.low)} – ${number(point.high)}` },
                  ]}
                />
              );
            }}
          />
          <Scatter data={shown} fill={color} isAnimationActive={false}>
            <ErrorBar
              dataKey="error"
              direction="x"
              width={8}
              strokeWidth={2}
              stroke={color}
              isAnimationActive={false}
            />
          </Scatter>
        </ScatterChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
