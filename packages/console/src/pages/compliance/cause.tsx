import { useCode } from '../../text/use-code.ts';
import { To } from '../../ui/to.tsx';
import { useNames } from '../player/use-names.ts';

interface CauseProps {
  cause: { kind: string; id: string };
  /** Code of the campaign that caused the contact. */
  campaign: string | null;
}

/** What caused a contact: the step of a campaign, with a link to the campaign, or a message or bonus by its id. */
export function Cause({ cause, campaign }: CauseProps) {
  const nameOf = useCode();
  const naming = useNames();
  if (campaign === null) return `${nameOf(cause.kind)} ${cause.id}`;
  return (
    <span>
      <To to={`campaigns/${campaign}`}>{naming({ campaign })}</To> {stepOf(cause.id)}
    </span>
  );
}

/** The cause of a campaign's decision is `<run_id>/<step>`. */
function stepOf(cause: string): string {
  return cause.slice(cause.indexOf('/') + 1);
}
