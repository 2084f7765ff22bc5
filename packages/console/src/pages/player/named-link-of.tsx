import type { ReactNode } from 'react';
import type { About } from '../../api/named.ts';
import { useName } from '../../ui/named/use-names.ts';
import { To } from '../../ui/to.tsx';
import { namedLink } from './named-link.ts';

/**
 * Shows a field of details that refers to a campaign, segment, template, run, bonus intent or player as a link to its page. A
 * campaign, segment or template is shown by its name. Returns undefined for other fields.
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
