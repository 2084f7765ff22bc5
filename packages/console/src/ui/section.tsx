import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page with a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
