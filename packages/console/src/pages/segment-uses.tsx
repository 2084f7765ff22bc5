import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { campaignsQuery, segmentsQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';

interface SegmentUsesProps {
  brand: string;
  /** Codes of segments. */
  segments: readonly string[];
  campaigns: readonly string[];
}

/** Shows where a segment is used, with links to campaigns and segments by their names. */
export function SegmentUses({ brand, segments, campaigns }: SegmentUsesProps) {
  const { common } = useText();
  const isUsed = segments.length + campaigns.length > 0;
  const allCampaigns = useQuery({ ...campaignsQuery(brand), enabled: campaigns.length > 0 });
  const allSegments = useQuery({ ...segmentsQuery(brand), enabled: segments.length > 0 });
  if (!isUsed) return <>{common.none}</>;
  const nameIn = (items: readonly { code: string; name: string }[] | undefined, code: string) =>
    items?.find((one) => one.code === code)?.name ?? code;
  const links = [
    ...campaigns.map((code) => ({ to: `campaigns/${code}`, name: nameIn(allCampaigns.data?.items, code) })),
    ...segments.map((code) => ({ to: `segments/${code}`, name: nameIn(allSegments.data?.items, code) })),
  ];
  return links.map(({ to, name }, place) => (
    <span key={to}>
      {place > 0 && ', '}
      <Anchor component={Link} to={`/${brand}/${to}`} size="sm">
        {name}
      </Anchor>
    </span>
  ));
}

/** Returns why a player entered or left, such as `event: payment`. */
export function causeWords(cause: { type: string; kind?: string }, nameOf: (code: string) => string): string {
  return cause.kind === undefined ? nameOf(cause.type) : `${nameOf(cause.type)}: ${nameOf(cause.kind)}`;
}
