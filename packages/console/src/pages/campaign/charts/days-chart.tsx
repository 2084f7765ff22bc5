import { Chip, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { ChartFrame, chartHeight, gridColor, seriesColors, Tip, tick, useDay } from './frame.tsx';

export interface CountedDay {
  day: string;
  counts: Readonly<Record<string, number>>;
}

interface DaysChartProps {
  label: string;
  /** Every day of the span, also those without anything. */
  days: readonly CountedDay[];
  /** The counts to choose among, with their words. */
  series: readonly { name: string; label: string }[];
  /** Those that are shown at first. */
  first: readonly string[];
}

/** Counts by day, each a line, of which some can be chosen. */
export default function DaysChart({ label, days, series, first }: DaysChartProps) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const day = useDay();
  const [chosen, setChosen] = useState<string[]>([...first]);
  const shown = series
    .map((one, at) => ({ ...one, color: seriesColors[at % seriesColors.length] ?? seriesColors[0] }))
    .filter(({ name }) => chosen.includes(name));
  return (
    <Stack gap="xs">
      <Chip.Group multiple value={chosen} onChange={setChosen}>
        <Group gap={6}>
          {series.map(({ name, label: words }) => (
            <Chip key={name} value={name} size="xs" variant="outline">
              {words}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <ChartFrame
        label={label}
        rows={days}
        keyOf={(one) => one.day}
        columns={[
          { title: words.day, show: (one) => day(one.day) },
          ...shown.map(({ name, label: title }) => ({
            title,
            align: 'right' as const,
            show: ({ counts }: CountedDay) => number(counts[name] ?? 0),
          })),
        ]}
      >
        <ResponsiveContainer width="100%" height={chartHeight}>
          <LineChart data={[...days]} accessibilityLayer={false} margin={{ top: 8, right: 16, bottom: 0, left: 0 }}>
            <CartesianGrid stroke={gridColor} vertical={false} />
            <XAxis dataKey="day" tickFormatter={day} tick={tick} stroke={gridColor} minTickGap={24} />
            <YAxis tick={tick} stroke={gridColor} width={48} allowDecimals={false} tickFormatter={number} />
            <Tooltip
              content={({ active, payload }) => {
                const point = payload?.[0]?.payload as CountedDay | undefined;
                if (!active || point === undefined) return null;
                return (
                  <Tip
                    title={day(point.day)}
                    lines={shown.map(({ name, label: words, color }) => ({
                      name: words,
                      value: number(point.counts[name] ?? 0),
                      color,
                    }))}
                  />
                );
              }}
            />
            {shown.map(({ name, color }) => (
              <Line
                key={name}
                dataKey={({ counts }: CountedDay) => counts[name] ?? 0}
                name={name}
                stroke={color}
                strokeWidth={2}
                dot={days.length < 15 && { r: 3, fill: color }}
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </ChartFrame>
    </Stack>
  );
}
