import { Chip, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
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
  /** Every day of the period, including days without data. */
  days: readonly CountedDay[];
  /** The counts that can be shown, with their labels. */
  series: readonly { name: string; label: string }[];
  /** The counts that the chart shows at first. */
  first: readonly string[];
}

/** Up to this many days have bars. A line through one day with data would look like growth from nothing. */
const mostDaysWithBars = 14;
const widestBar = 24;

/** A chart of counts by day: bars for a few days, lines for more. The user chooses the series. */
export default function DaysChart({ label, days, series, first }: DaysChartProps) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const day = useDay();
  // A series keeps its place while it is shown, and therefore its color. `undefined` marks a free place.
  const [places, setPlaces] = useState<readonly (string | undefined)[]>(first);
  const chosen = places.filter((name) => name !== undefined);
  const choose = (names: readonly string[]) => {
    const kept = places.map((name) => (name !== undefined && names.includes(name) ? name : undefined));
    const added = names.filter((name) => !kept.includes(name));
    setPlaces([...kept.map((name) => name ?? added.shift()), ...added]);
  };
  const colorOf = (name: string) => seriesColors[places.indexOf(name) % seriesColors.length] ?? seriesColors[0];
  const shown = series.filter(({ name }) => places.includes(name)).map((one) => ({ ...one, color: colorOf(one.name) }));
  const hasBars = days.length <= mostDaysWithBars;
  return (
    <Stack gap="xs">
      <Chip.Group multiple value={chosen} onChange={choose}>
        <Group gap={6}>
          {series.map(({ name, label: words }) => (
            <Chip key={name} value={name} size="xs" variant="outline">
              {places.includes(name) && <span className="chart-key" style={{ background: colorOf(name) }} />}
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
          <ComposedChart data={[...days]} accessibilityLayer={false} margin={{ top: 8, right: 16, bottom: 0, left: 0 }}>
            <CartesianGrid stroke={gridColor} vertical={false} />
            <XAxis dataKey="day" tickFormatter={day} tick={tick} stroke={gridColor} minTickGap={24} />
            <YAxis tick={tick} stroke={gridColor} width={48} allowDecimals={false} tickFormatter={number} />
            <Tooltip
              {...(hasBars && { cursor: { fill: gridColor, fillOpacity: 0.4 } })}
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
            {shown.map(({ name, color }) => {
              const drawn = { name, dataKey: ({ counts }: CountedDay) => counts[name] ?? 0 };
              return hasBars ? (
                <Bar {...drawn} key={name} fill={color} maxBarSize={widestBar} isAnimationActive={false} />
              ) : (
                <Line {...drawn} key={name} stroke={color} strokeWidth={2} dot={false} isAnimationActive={false} />
              );
            })}
          </ComposedChart>
        </ResponsiveContainer>
      </ChartFrame>
    </Stack>
  );
}
