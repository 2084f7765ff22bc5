import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBrand } from './page.tsx';

/** A link to another page of the brand: `to` is what follows its code, and `search` what stands behind the `?`. */
export function To({ to, search, children }: { to: string; search?: Record<string, string>; children: ReactNode }) {
  const brand = useBrand();
  return (
    <Anchor
      component={Link}
      to={`/${brand}/${to}`}
      {...(search !== undefined && { search: search as never })}
      size="sm"
    >
      {children}
    </Anchor>
  );
}
