import { Stack, Text, Title } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { List, Rows } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { ChangeProtection } from './change-protection.tsx';
import type { OfPlayer } from './of-player.ts';

const refreshMs = 4_000;

interface Told {
  type: string;
  in_doubt: boolean;
  as_of: string | null;
  source: string | null;
}

interface ProtectionProps extends OfPlayer {
  player: {
    consents: readonly (Told & { opted_in: boolean | null })[];
    blocks: readonly (Told & { active: boolean | null; note: string | null })[];
  };
}

/**
 * Consents and blocks with their source and age, and the changes that were made in the platform. An unknown consent counts as not
 * given.
 */
export function Protection({ brand, userId, player: { consents, blocks } }: ProtectionProps) {
  const { protection: words } = useWords(playerPage);
  const { common } = useText();
  const nameOf = useCode();
  const may = useMay();
  const said = (value: boolean | null, yes: string, no: string) => (value === null ? words.unknown : value ? yes : no);
  const rows = [
    ...consents.map((one) => ({
      ...one,
      note: null,
      is: one.opted_in,
      says: said(one.opted_in, words.given, words.withdrawn),
      state: one.opted_in === true ? 'allowed' : 'withheld',
    })),
    ...blocks.map((one) => ({
      ...one,
      is: one.active,
      says: said(one.active, words.active, words.inactive),
      state: one.active === false ? 'allowed' : 'failed',
    })),
  ];
  return (
    <Stack>
      <Rows
        items={rows}
        keyOf={({ type, says }) => `${type} ${says}`}
        columns={[
          { title: common.name, show: ({ type }) => <Named of={type} /> },
          {
            title: common.state,
            show: ({ state, says, in_doubt }) => (
              <>
                <State of={state} label={says} />
                {in_doubt && <Text size="xs">{words.doubt}</Text>}
              </>
            ),
          },
          { title: words.source, show: ({ source }) => <Named of={source} /> },
          { title: words.since, show: ({ as_of }) => <Moment at={as_of} /> },
          { title: words.note, show: ({ note }) => note || common.none },
          ...(may('player.protect')
            ? [
                {
                  title: common.actions,
                  show: ({ type, is }: (typeof rows)[number]) => (
                    <ChangeProtection brand={brand} userId={userId} type={type} is={is} />
                  ),
                },
              ]
            : []),
        ]}
      />
      <Title order={3} size="h5">
        {words.changes}
      </Title>
      <List
        name={[brand, 'player', userId, 'write-backs']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/write-backs', {
              params: { path: { brand, user_id: userId }, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ item_id }) => item_id}
        empty={words.noChanges}
        columns={[
          { title: common.when, show: ({ changed_at }) => <Moment at={changed_at} /> },
          {
            title: common.what,
            show: ({ record, type, wanted }) =>
              `${nameOf(type)}: ${record === 'consents' ? said(wanted, words.given, words.withdrawn) : said(wanted, words.active, words.inactive)}`,
          },
          { title: words.source, show: ({ source }) => <Named of={source} /> },
          { title: common.state, show: ({ state }) => <State of={state} /> },
        ]}
      />
    </Stack>
  );
}
