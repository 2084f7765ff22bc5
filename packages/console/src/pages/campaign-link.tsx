import { useCode } from '../text/use-code.ts';
import { useName } from '../ui/named/use-names.ts';
import { To } from '../ui/to.tsx';

/** A link to a campaign, which shows its name. Messages and offers to a segment have the campaign `bulk-<action_id>`. */
export function CampaignLink({ code }: { code: string }) {
  const action = /^bulk-(\d+)$/.exec(code)?.[1];
  const name = useName(action === undefined ? { campaign: code } : undefined);
  const nameOf = useCode();
  if (action === undefined) return <To to={`campaigns/${code}`}>{name}</To>;
  return (
    <To to={`messages/bulk-actions/${action}`}>
      {nameOf('bulk')} {action}
    </To>
  );
}
