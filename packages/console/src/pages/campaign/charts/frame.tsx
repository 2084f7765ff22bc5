import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { dateFormat } from '../../../ui/formats.ts';
import type { Column } from '../../../ui/list.tsx';
import { Rows } from '../../../ui/list.tsx';
import { useRegion } from '../../../ui/region.ts';

/** Height of every chart in pixels. */
export const chartHeight = 220;

/**
 * Colors of lines and bars, in the order of the series. Each has a contrast of 3 with the page, in light and in dark.
 */
export const seriesColors = [
  'var(--mantine-color-blue-6)',
  'var(--mantine-color-teal-7)',
  'var(--mantine-color-orange-7)',
  'var(--mantine-color-grape-6)',
  'var(--mantine-color-red-7)',
  'var(--mantine-color-lime-8)',
] as const;

/** Text style of axes. */
export const tick = { fill: 'var(--mantine-color-dimmed)', fontSize: 12 };
export const gridColor = 'var(--mantine-color-default-border)';

/** Formats a day, for example 2026-05-04 as "4 May". */
export function useDay(): (day: string) => string {
  const region = useRegion();
  const format = dateFormat(region, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return (day) => format.format(new Date(`${day}T00:00:00Z`));
}

interface ChartFrameProps<Row> {
  /** Description of the chart for screen readers. The table contains the figures. */
  label: string;
  children: ReactNode;
  rows: readonly Row[];
  keyOf(row: Row): string;
  columns: readonly Column<Row>[];
}

/** Shows a chart, and the same figures as a table. */
export function ChartFrame<Row>({ label, children, rows, keyOf, columns }: ChartFrameProps<Row>) {
  const words = useWords(campaignPage);
  return (
    <div>
      <div role="img" aria-label={label}>
        {children}
      </div>
      <details>
        <summary>
          <Text span size="xs" c="dimmed">
            {words.asTable}
          </Text>
        </summary>
        <Rows items={rows} keyOf={keyOf} columns={columns} />
      </details>
    </div>
  );
}

/** The tooltip at the pointer. */
export function Tip({
  title,
  lines,
}: {
  title: string;
  lines: readonly { name: string; value: string; color?: string }[];
}) {
  return (
    <Paper withBorder shadow="sm" p="xs">
      <Text size="xs" fw={600}>
        {title}
      </Text>
      {lines.map(({ name, value, color }) => (
        <Text key={name} size="xs" className="figure">
          {color !== undefined && <span className="chart-key" style={{ background: color }} />}
          {name}: {value}
        </Text>
      ))}
    </Paper>
  );
}
