import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../text/text.tsx';
import { useNames } from '../ui/named/use-names.ts';

interface SegmentUsesProps {
  brand: string;
  /** Codes of segments. */
  segments: readonly string[];
  campaigns: readonly string[];
}

/** Shows where a segment is used, with links to campaigns and segments by their names. */
export function SegmentUses({ brand, segments, campaigns }: SegmentUsesProps) {
  const { common } = useText();
  const users = [...campaigns.map((campaign) => ({ campaign })), ...segments.map((segment) => ({ segment }))];
  const naming = useNames(users);
  if (users.length === 0) return <>{common.none}</>;
  const links = users.map((user) => ({
    to: 'campaign' in user ? `campaigns/${user.campaign}` : `segments/${user.segment}`,
    name: naming(user),
  }));
  return links.map(({ to, name }, place) => (
    <span key={to}>
      {place > 0 && ', '}
      <Anchor component={Link} to={`/${brand}/${to}`} size="sm">
        {name}
      </Anchor>
    </span>
  ));
}
