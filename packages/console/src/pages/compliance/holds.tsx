import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { List } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { Cause } from './cause.tsx';

const refreshMs = 2_000;

/**
 * Contacts that are held until enough is known about the player. The contact that has been held longest comes first.
 */
export function Holds() {
  const brand = useBrand();
  const { holds: words } = useWords(compliance);
  const title = useWords(places).pages.holds;
  const { common } = useText();
  const nameOf = useCode();
  return (
    <Page title={title} about={words.about}>
      <List
        name={[brand, 'holds']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/holds', {
              params: { path: { brand }, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ cause, player_id, channel, purpose }) =>
          [cause.kind, cause.id, player_id, channel, purpose].join(' ')
        }
        empty={<Empty next={<To to="compliance/decisions">{words.toDecisions}</To>}>{words.none}</Empty>}
        columns={[
          { title: words.since, show: ({ held_since }) => <Moment at={held_since} /> },
          {
            title: common.player,
            isMain: true,
            show: ({ user_id, player_id }) =>
              user_id === null ? `# ${player_id}` : <PlayerLink brand={brand} userId={user_id} />,
          },
          { title: words.channel, show: ({ channel, purpose }) => `${nameOf(channel)}, ${nameOf(purpose)}` },
          { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
          {
            title: words.cause,
            show: ({ cause, channel, campaign, user_id }) => (
              <Cause cause={cause} channel={channel} campaign={campaign} userId={user_id} />
            ),
          },
          { title: words.asked, show: ({ last_asked_at }) => <Moment at={last_asked_at} /> },
          { title: words.expires, show: ({ expires_at }) => <Moment at={expires_at} /> },
          {
            title: words.decision,
            show: ({ decision_id, user_id }) => (
              <To
                to="compliance/decisions"
                search={{ ...(user_id !== null && { user_id }), outcome: 'held', row: String(decision_id) }}
              >
                {words.decision}
              </To>
            ),
          },
        ]}
      />
    </Page>
  );
}
