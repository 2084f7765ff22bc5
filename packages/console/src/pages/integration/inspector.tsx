import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Page } from '../../ui/page.tsx';
import { EventList } from './event-list.tsx';

/** Lists every accepted event. The user can follow each event to its last effect. */
export function Inspector() {
  const { inspector: words } = useWords(integration);
  const title = useWords(places).pages.inspector;
  return (
    <Page title={title} about={words.about}>
      <EventList empty={words.none} />
    </Page>
  );
}
