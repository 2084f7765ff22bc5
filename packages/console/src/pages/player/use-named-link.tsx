import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { templatesQuery } from '../../api/queries.ts';
import { useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { namedLink } from './named-link.ts';
import { useNames } from './use-names.ts';

/**
 * Returns a function that shows a campaign, segment, template, run or bonus in details as a link, with its name if it has
 * one. It returns undefined for other fields. @param hasTemplates whether to load the names of templates
 */
export function useNamedLink(hasTemplates: boolean): (field: string, value: string) => ReactNode {
  const naming = useNames();
  const templates = useQuery({ ...templatesQuery(useBrand()), enabled: hasTemplates });
  return (field, value) => {
    const link = namedLink(field, value);
    if (link === undefined) return undefined;
    const { to, about, template } = link;
    const nameOfTemplate = templates.data?.find(({ code }) => code === template)?.name;
    return <To to={to}>{about === undefined ? (nameOfTemplate ?? value) : naming(about)}</To>;
  };
}
