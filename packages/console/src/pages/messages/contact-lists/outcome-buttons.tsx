import { Button, Group } from '@mantine/core';
import { api } from '../../../api/client.ts';
import { contactLists } from '../../../text/contact-lists.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { Sure, useAct } from '../../../ui/act.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { type Outcome, outcomes } from './outcome-file.ts';
import { type ListEntry, listsKey } from './queries.ts';

/** The buttons that report how the call or letter of an entry ended. Opting out asks for confirmation. */
export function OutcomeButtons({ entry }: { entry: ListEntry }) {
  const { message_id, user_id } = entry;
  const brand = useBrand();
  const words = useWords(contactLists);
  const { common } = useText();
  const report = useAct(
    (outcome: Outcome) =>
      api.POST('/api/console/v1/brands/{brand}/lists/entries/{message_id}/outcome', {
        params: { path: { brand, message_id } },
        body: { outcome },
      }),
    { touches: listsKey(brand), done: words.reported },
  );
  const player = user_id ?? common.none;
  return (
    <Group gap={4} wrap="nowrap">
      {outcomes
        .filter((outcome) => isPossible(outcome, entry))
        .map((outcome) => {
          const label = words.outcomes[outcome];
          const about = words.of(label, player);
          const reportIt = () => report.mutate(outcome);
          return outcome === 'opted_out' ? (
            <Sure
              key={outcome}
              size="compact-sm"
              label={label}
              about={about}
              text={words.optOutSure(player)}
              onSure={reportIt}
            />
          ) : (
            <Button key={outcome} size="compact-sm" variant="default" aria-label={about} onClick={reportIt}>
              {label}
            </Button>
          );
        })}
    </Group>
  );
}

/** The platform takes an outcome after an export. A player who was reached can opt out later. */
function isPossible(outcome: Outcome, { state, exported_at }: Pick<ListEntry, 'state' | 'exported_at'>): boolean {
  if (state === 'exported') return true;
  if (state === 'dropped') return exported_at !== null || outcome === 'opted_out';
  return outcome === 'opted_out' && (state === 'reached' || state === 'not_reached');
}
