import './messages.css';
import { media } from '../../text/media.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Page } from '../../ui/page.tsx';
import { Library } from './media/library.tsx';

/** The pictures of the brand. */
export function Media() {
  const words = useWords(media);
  const title = useWords(places).pages.media;
  return (
    <Page title={title} about={words.about}>
      <Library />
    </Page>
  );
}
