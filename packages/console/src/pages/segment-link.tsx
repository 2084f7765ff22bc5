import { lists } from '../text/lists.ts';
import { useWords } from '../text/text.tsx';
import { NamedLink } from '../ui/named/named-link.tsx';

/** A link to a segment, which shows its name. A deleted segment has no page, so only its code is shown. */
export function SegmentLink({ code }: { code: string }) {
  const words = useWords(lists);
  return <NamedLink about={{ segment: code }} to={`segments/${code}`} missing={words.deleted(code)} />;
}
