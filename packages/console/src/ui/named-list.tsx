import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { List, type ListProps } from './list.tsx';
import { type Permission, useMay } from './may.tsx';
import { Page, useBrand } from './page.tsx';

interface NamedListProps<Item> extends Omit<ListProps<Item>, 'name' | 'keyOf'> {
  title: string;
  about?: string;
  /** The button that makes a new item, for people who may do so. */
  make: { permission: Permission; to: string; label: string };
  filterBar: ReactNode;
  /** Identifies the list, together with the filters. */
  kind: string;
  filters: object;
}

/**
 * The page of all items of one kind that have a code and a name, such as segments. The platform reads one page at a time and
 * applies the filters.
 */
export function NamedList<Item extends { code: string }>(props: NamedListProps<Item>) {
  const { title, about, make, filterBar, kind, filters, ...list } = props;
  const brand = useBrand();
  const may = useMay()(make.permission);
  return (
    <Page
      title={title}
      isNaming={false}
      {...(about !== undefined && { about })}
      actions={
        may && (
          <Button component={Link} to={`/${brand}/${make.to}`}>
            {make.label}
          </Button>
        )
      }
    >
      {filterBar}
      <List name={[brand, kind, 'list', filters]} keyOf={({ code }) => code} {...list} />
    </Page>
  );
}
