import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { ChartFrame, chartHeight, gridColor, seriesColors, Tip, tick, useDay } from './frame.tsx';

export interface RangePoint {
  day: string;
  expected: number;
  low: number;
  high: number;
}

/** The forecast of each day, as a range. */
export default function RangeChart({
  label,
  points,
  series = 0,
}: {
  label: string;
  points: readonly RangePoint[];
  series?: number;
}) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const day = useDay();
  const color = seriesColors[series] ?? seriesColors[0];
  const shown = points.map((one) => ({ ...one, range: [one.low, one.high] }));
  return (
    <ChartFrame
      label={label}
      rows={points}
      keyOf={(one) => one.day}
      columns={[
        { title: words.day, show: (one) => day(one.day) },
        { title: words.expected, align: 'right', show: ({ expected }) => number(expected) },
        { title: words.range, align: 'right', show: ({ low, high }) => `${number(low)} – ${number(high)}` },
      ]}
    >
      <ResponsiveContainer width="100%" height={chartHeight}>
        <ComposedChart data={shown} accessibilityLayer={false} margin={{ top: 8, right: 16, bottom: 0, left: 0 }}>
          <CartesianGrid stroke={gridColor} vertical={false} />
          <XAxis dataKey="day" tickFormatter={day} tick={tick} stroke={gridColor} />
          <YAxis
            tick={tick}
            stroke={gridColor}
            width={48}
            allowDecimals={false}
            domain={[0, 'auto']}
            tickFormatter={number}
          />
          <Tooltip
            content={({ active, payload }) => {
              const point = payload?.[0]?.payload as RangePoint | undefined;
              if (!active || point === undefined) return null;
              return (
                <Tip
                  title={day(point.day)}
                  lines={[
                    { name: words.expected, value: number(point.expected), color },
                    { name: words.range, value: `${number(point.low)} – ${number(point.high)}` },
                  ]}
                />
              );
            }}
          />
          <Area dataKey="range" stroke="none" fill={color} fillOpacity={0.2} isAnimationActive={false} />
          <Line
            dataKey="expected"
            stroke={color}
            strokeWidth={2}
            dot={{ r: 3, fill: color }}
            isAnimationActive={false}
          />
        </ComposedChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
