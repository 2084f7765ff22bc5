import { useCode } from '../text/use-code.ts';
import { useNamed } from '../ui/named/use-names.ts';
import { To } from '../ui/to.tsx';

/**
 * A link to a campaign, which shows its name. Messages and offers to a segment have the campaign `bulk-<action_id>`. Callers of the API
 * may give an id of their own, and a campaign may have been deleted; then there is no page, and the id is shown without a link.
 */
export function CampaignLink({ code }: { code: string }) {
  const action = /^bulk-(\d+)$/.exec(code)?.[1];
  const campaign = useNamed(action === undefined ? { campaign: code } : undefined);
  const nameOf = useCode();
  if (action !== undefined)
    return (
      <To to={`messages/bulk-actions/${action}`}>
        {nameOf('bulk')} {action}
      </To>
    );
  if (campaign === null) return <>{code}</>;
  return <To to={`campaigns/${code}`}>{campaign?.name ?? code}</To>;
}
