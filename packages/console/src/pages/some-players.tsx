import { Group, Text } from '@mantine/core';
import { useText } from '../text/text.tsx';
import { PlayerLink } from './player-link.tsx';

interface SomePlayersProps {
  brand: string;
  userIds: readonly string[];
  /** The number of all players, of whom these are some. */
  count: number;
  /** Set this if the page has changes that are not saved. Leaving it would lose them. */
  opensTab?: boolean;
}

/** Some of the players behind a number, each with a link. */
export function SomePlayers({ brand, userIds, count, opensTab = false }: SomePlayersProps) {
  const { common } = useText();
  if (userIds.length === 0) return null;
  return (
    <Group gap="0 var(--mantine-spacing-sm)">
      {count > userIds.length && (
        <Text size="sm" c="dimmed">
          {common.forExample}
        </Text>
      )}
      {userIds.map((userId) => (
        <PlayerLink key={userId} brand={brand} userId={userId} opensTab={opensTab} />
      ))}
    </Group>
  );
}
