import { Card, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBrand } from './page.tsx';

interface StatProps {
  title: string;
  value: ReactNode;
  /** Below the value, smaller. */
  note?: ReactNode;
  /** How good it is. */
  tone?: 'good' | 'bad' | 'warning';
  /** The list behind the number, below the brand. */
  to?: { to: string; search?: Record<string, string> } | undefined;
  children?: ReactNode;
}

/** One number, which leads to what it counts. */
export function Stat({ title, value, note, tone, to, children }: StatProps) {
  const brand = useBrand();
  const content = (
    <>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Group gap="xs" align="baseline" wrap="nowrap">
        <Text className="figure" size="xl" fw={600} data-tone={tone}>
          {value}
        </Text>
        {note !== undefined && (
          <Text size="xs" c="dimmed" truncate>
            {note}
          </Text>
        )}
      </Group>
      {children}
    </>
  );
  if (to === undefined) {
    return (
      <Card withBorder padding="sm">
        {content}
      </Card>
    );
  }
  return (
    <Card
      withBorder
      padding="sm"
      className="stat-link"
      component={Link}
      to={`/${brand}/${to.to}`}
      {...(to.search !== undefined && { search: to.search as never })}
    >
      {content}
    </Card>
  );
}
