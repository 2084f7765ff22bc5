import { campaignPage } from '../text/campaign-page.ts';
import { useWords } from '../text/text.tsx';
import { To } from '../ui/to.tsx';

/** A link to the page of a run. */
export function RunLink({ id }: { id: number }) {
  const words = useWords(campaignPage);
  return <To to={`runs/${id}`}>{words.nameOfRun(String(id))}</To>;
}
