import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** @param userId null if the player was erased */
export function PlayerLink({ brand, userId }: { brand: string; userId: string | null }) {
  if (userId === null) return <>–</>;
  return (
    <Anchor
      component={Link}
      to={`/${brand}/players/${encodeURIComponent(userId)}`}
      size="sm"
      className="id"
      title={userId}
    >
      {userId}
    </Anchor>
  );
}
