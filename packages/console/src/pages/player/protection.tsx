import { Stack } from '@mantine/core';
import { useText } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Moment, State } from '../../ui/values.tsx';

interface Told {
  type: string;
  in_doubt: boolean;
  as_of: string | null;
  source: string | null;
}

interface Shown {
  consents: readonly (Told & { opted_in: boolean | null })[];
  blocks: readonly (Told & { active: boolean | null })[];
}

/** Consents and blocks with their source and age. Unknown is not given. */
export function Protection({ player: { consents, blocks } }: { player: Shown }) {
  const { player, common } = useText();
  const said = (value: boolean | null, yes: string, no: string) => (value === null ? player.unknown : value ? yes : no);
  const rows = [
    ...consents.map((one) => ({
      ...one,
      says: said(one.opted_in, player.given, player.withdrawn),
      state: one.opted_in === true ? 'allowed' : 'withheld',
    })),
    ...blocks.map((one) => ({
      ...one,
      says: said(one.active, player.active, player.inactive),
      state: one.active === false ? 'allowed' : 'failed',
    })),
  ];
  return (
    <Stack>
      <Rows
        items={rows}
        keyOf={({ type, says }) => `${type} ${says}`}
        columns={[
          { title: common.name, show: ({ type }) => type },
          { title: common.state, show: ({ state, says }) => <State of={state} label={says} /> },
          { title: common.reason, show: ({ source }) => source ?? common.none },
          { title: common.when, show: ({ as_of }) => <Moment at={as_of} /> },
        ]}
      />
    </Stack>
  );
}
