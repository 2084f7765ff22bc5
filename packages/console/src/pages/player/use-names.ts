import { useQuery } from '@tanstack/react-query';
import { campaignsQuery, segmentsQuery } from '../../api/queries.ts';
import { useBrand } from '../../ui/page.tsx';
import type { About } from './timeline-words.ts';

/**
 * Returns a function that returns the name of a campaign or segment, or its code if it was deleted. The command palette
 * keeps both lists loaded.
 */
export function useNames(): (about: About) => string {
  const brand = useBrand();
  const segments = useQuery(segmentsQuery(brand));
  const campaigns = useQuery(campaignsQuery(brand));
  return (about) => {
    const [code, listed] = 'segment' in about ? [about.segment, segments] : [about.campaign, campaigns];
    return listed.data?.items.find((one) => one.code === code)?.name ?? code;
  };
}
