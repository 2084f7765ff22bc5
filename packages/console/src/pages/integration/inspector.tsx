import { Stack } from '@mantine/core';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { EventList } from './event-list.tsx';
import { RefusedCalls } from './refused-calls.tsx';

/** Lists every accepted event, below the calls that were refused. The user can follow each event to its last effect. */
export function Inspector() {
  const brand = useBrand();
  const { inspector: words } = useWords(integration);
  const title = useWords(places).pages.inspector;
  return (
    <Page title={title} about={words.about}>
      <Stack>
        <RefusedCalls brand={brand} />
        <EventList empty={words.none} />
      </Stack>
    </Page>
  );
}
