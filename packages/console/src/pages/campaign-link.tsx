import { useCode } from '../text/use-code.ts';
import { NamedLink } from '../ui/named/named-link.tsx';
import { To } from '../ui/to.tsx';

/**
 * A link to a campaign, which shows its name. Messages and offers to a segment have the campaign `bulk-<action_id>`. Callers of the API
 * may give any id, and a campaign may have been deleted. In both cases, there is no page, and the id is shown without a link.
 */
export function CampaignLink({ code }: { code: string }) {
  const action = /^bulk-(\d+)$/.exec(code)?.[1];
  const nameOf = useCode();
  if (action === undefined) return <NamedLink about={{ campaign: code }} to={`campaigns/${code}`} missing={code} />;
  return (
    <To to={`messages/bulk-actions/${action}`}>
      {nameOf('bulk')} {action}
    </To>
  );
}
