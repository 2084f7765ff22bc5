import { Card, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBrand } from './page.tsx';

interface StatProps {
  title: string;
  value: ReactNode;
  /** Smaller text below the value. */
  note?: ReactNode;
  /** Whether the value is good or bad. */
  tone?: 'good' | 'bad' | 'warning';
  /** Path of the list behind the number, below the brand. */
  to?: { to: string; search?: Record<string, string> } | undefined;
  children?: ReactNode;
}

/** Shows one number, which links to its list. */
export function Stat({ title, value, note, tone, to, children }: StatProps) {
  const brand = useBrand();
  const content = (
    <>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Group gap="0 var(--mantine-spacing-xs)" align="baseline">
        <Text className="figure nowrap" size="xl" fw={600} data-tone={tone}>
          {value}
        </Text>
        {note !== undefined && (
          <Text size="xs" c="dimmed">
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
