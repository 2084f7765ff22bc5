import type { ReactNode } from 'react';
import type { About } from '../../api/named.ts';
import { useName } from '../../ui/named/use-names.ts';
import { To } from '../../ui/to.tsx';
import { namedLink } from './named-link.ts';

/**
 * Shows a campaign, segment, template, run or bonus in details as a link, with its name if it has one. Returns undefined for
 * other fields.
 */
export function namedLinkOf(field: string, value: string): ReactNode {
  const link = namedLink(field, value);
  if (link === undefined) return undefined;
  const { to, about } = link;
  return <To to={to}>{about === undefined ? value : <Name of={about} />}</To>;
}

function Name({ of }: { of: About }) {
  return useName(of);
}
