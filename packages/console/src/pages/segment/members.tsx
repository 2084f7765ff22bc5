import { Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Moment } from '../../ui/values.tsx';
import { usePlayerColumns } from '../player-columns.ts';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 2_000;

interface SegmentMembersProps {
  brand: string;
  code: string;
  /** Whether the members are not known yet. The list is empty then. */
  isCounting: boolean;
}

/** The members of a segment. The address can ask for the players who would be members if they were not protected. */
export function SegmentMembers({ brand, code, isCounting }: SegmentMembersProps) {
  const { segments: words, common } = useText();
  const { name, country } = usePlayerColumns();
  const { filters } = useFilters();
  const areProtected = filters.protected === 'true';
  return (
    <>
      {areProtected && (
        <Text c="dimmed" size="sm" mb="sm">
          {words.areProtected}
        </Text>
      )}
      <List
        name={[brand, 'segment', code, areProtected ? 'protected' : 'members']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/segments/{code}/members', {
              params: {
                path: { brand, code },
                query: { ...(areProtected && { protected: true }), ...(cursor && { cursor }) },
              },
            }),
          )
        }
        keyOf={({ player_id }) => player_id}
        empty={isCounting ? words.counting : areProtected ? words.noProtected : words.nobody}
        columns={[
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          name,
          country,
          { title: areProtected ? common.when : words.memberSince, show: ({ since }) => <Moment at={since} /> },
        ]}
      />
    </>
  );
}
