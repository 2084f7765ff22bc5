import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface PlayerLinkProps {
  brand: string;
  /** Null if the player was erased. */
  userId: string | null;
  /** Opens the player in a new tab, so that a page with unsaved changes stays open. */
  opensTab?: boolean;
}

export function PlayerLink({ brand, userId, opensTab = false }: PlayerLinkProps) {
  if (userId === null) return <>–</>;
  return (
    <Anchor
      component={Link}
      to={`/${brand}/players/${encodeURIComponent(userId)}`}
      size="sm"
      className="id"
      title={userId}
      {...(opensTab && { target: '_blank' })}
    >
      {userId}
    </Anchor>
  );
}
