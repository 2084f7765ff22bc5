import { Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { PlayerFilter } from '../../ui/player-filter.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { SuppressionTime } from './suppression-time.tsx';

const refreshMs = 2_000;
const pageSize = 50;
const exclusionKinds = ['excluded', 'exclusion_ended', 'blocked', 'block_ended'] as const;
/** The transitions after which the player may receive fewer messages than before. */
const protecting: ReadonlySet<string> = new Set(['excluded', 'blocked', 'consent_withdrawn']);
const consentKinds = ['consent_withdrawn', 'consent_given'] as const;

/** Exclusions and blocks, and whether everything that they require was done. */
export function Exclusions() {
  return <Transitions page="exclusions" kinds={exclusionKinds} />;
}

/** Consents that were given or withdrawn. */
export function Consents() {
  return <Transitions page="consents" kinds={consentKinds} />;
}

interface TransitionsProps {
  page: 'exclusions' | 'consents';
  kinds: readonly string[];
}

function Transitions({ page, kinds }: TransitionsProps) {
  const brand = useBrand();
  const { exclusions: words, ...others } = useWords(compliance);
  const nameOf = useCode();
  const title = useWords(places).pages[page];
  const { about, none } = page === 'exclusions' ? words : others.consents;
  const { common } = useText();
  const { filters } = useFilters();
  return (
    <Page title={title} about={about}>
      <FilterBar>
        <PlayerFilter />
        <Choice name="kind" label={words.kind} of={kinds} />
      </FilterBar>
      <List
        name={[brand, 'transitions', page, filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/transitions', {
              params: {
                path: { brand },
                query: { ...filters, kinds: kinds.join(), limit: pageSize, ...(cursor && { cursor }) },
              },
            }),
          )
        }
        keyOf={({ transition_id }) => transition_id}
        empty={
          <Empty next={<To to="players">{words.toPlayers}</To>}>
            {Object.keys(filters).length === 0 ? none : common.noMatch}
          </Empty>
        }
        columns={[
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
          {
            title: common.player,
            show: ({ user_id, player_id }) =>
              user_id === null ? `# ${player_id}` : <PlayerLink brand={brand} userId={user_id} />,
          },
          {
            title: words.kind,
            show: ({ kind, consent_type }) => (
              <Text size="sm">{[nameOf(kind), consent_type && nameOf(consent_type)].filter(Boolean).join(': ')}</Text>
            ),
          },
          { title: words.source, show: ({ source }) => <Named of={source} /> },
          {
            title: words.followed,
            show: ({ kind, waiting }) =>
              waiting.length === 0 ? (
                <>
                  <State of="done" label={words.applied} />
                  {page === 'exclusions' && protecting.has(kind) && <Text size="xs">{words.all}</Text>}
                </>
              ) : (
                <State
                  of="waiting"
                  label={`${words.waiting} ${waiting.map(({ follower }) => nameOf(follower, 'follower')).join(', ')}`}
                />
              ),
          },
          {
            title: words.suppression,
            show: ({ suppression_ms, suppression_allowed }) => (
              <SuppressionTime ms={suppression_ms} allowed={suppression_allowed} />
            ),
          },
          {
            title: words.proof,
            show: ({ kind, user_id, at }) =>
              user_id === null || !protecting.has(kind) ? (
                common.none
              ) : (
                <To to="compliance/decisions" search={{ user_id, from: at, outcome: 'withheld' }}>
                  {words.proof}
                </To>
              ),
          },
        ]}
      />
    </Page>
  );
}
