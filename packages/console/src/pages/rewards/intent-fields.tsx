import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { PlayerLink } from '../player-link.tsx';
import { CreatedBy } from './created-by.tsx';
import type { IntentShown } from './queries.ts';

/** What a bonus is, who gets it, and who ordered it. */
export function IntentFields({ brand, intent }: { brand: string; intent: IntentShown['intent'] }) {
  const { intent: words } = useWords(rewards);
  const { common } = useText();
  return (
    <Fields
      of={[
        [common.state, <State key="state" of={intent.state} />],
        [common.reason, <Named key="reason" of={intent.reason} />],
        [
          common.player,
          intent.user_id === null ? common.none : <PlayerLink key="player" brand={brand} userId={intent.user_id} />,
        ],
        [words.amount, [intent.amount, intent.currency].filter(Boolean).join(' ') || common.none],
        [
          words.reference,
          intent.references.activity_id == null ? (
            common.none
          ) : (
            <CampaignLink key="campaign" code={intent.references.activity_id} />
          ),
        ],
        [words.createdBy, <CreatedBy key="by" of={intent.created_by} />],
        [common.when, <Moment key="created" at={intent.created_at} />],
        ...(intent.offered
          ? ([
              [words.expires, <Moment key="expires" at={intent.expires_at} />],
              [words.claimed, <Moment key="claimed" at={intent.claimed_at} />],
            ] as const)
          : []),
      ]}
    />
  );
}
