import { useCode } from '../../text/use-code.ts';
import { To } from '../../ui/to.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { causeLink } from '../player/timeline-words.ts';

interface CauseProps {
  cause: { kind: string; id: string };
  channel: string;
  /** Code of the campaign that caused the contact. */
  campaign: string | null;
  /** The player, if known. */
  userId: string | null;
}

/**
 * Shows what caused a contact, with links. The cause is a step of the player's run in a campaign, or a message, or a
 * bonus.
 */
export function Cause({ cause, channel, campaign, userId }: CauseProps) {
  const nameOf = useCode();
  const link = causeLink(cause.kind, cause.id, userId === null ? undefined : { userId, channel });
  const text = cause.kind === 'run' ? `${nameOf('step')} ${stepOf(cause.id)}` : `${nameOf(cause.kind)} ${cause.id}`;
  return (
    <span>
      {campaign !== null && (
        <>
          <CampaignLink code={campaign} />,{' '}
        </>
      )}
      {link === undefined ? (
        text
      ) : (
        <To to={link.to} {...(link.search && { search: link.search })}>
          {text}
        </To>
      )}
    </span>
  );
}

/** Returns the step of a campaign's decision, whose cause is `<run_id>/<step>`. */
function stepOf(cause: string): string {
  return cause.slice(cause.indexOf('/') + 1);
}
