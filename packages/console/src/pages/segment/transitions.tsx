import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { List } from '../../ui/list.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { TransitionCause } from '../transition-cause.tsx';
import { TransitionsChart } from './transitions-chart.tsx';

const refreshMs = 2_000;

/** Who entered and left a segment, when and why. */
export function SegmentTransitions({ brand, code }: { brand: string; code: string }) {
  const { segments: words, common, player } = useText();
  return (
    <>
      <TransitionsChart brand={brand} code={code} />
      <List
        name={[brand, 'segment', code, 'transitions']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/segments/{code}/transitions', {
              params: { path: { brand, code }, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ transition_id }) => transition_id}
        empty={words.noTransitions}
        columns={[
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          { title: common.state, show: ({ transition }) => <State of={transition} label={player[transition]} /> },
          { title: common.reason, show: ({ cause }) => <TransitionCause cause={cause} /> },
        ]}
      />
    </>
  );
}
