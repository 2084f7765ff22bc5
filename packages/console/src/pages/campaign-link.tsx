import { useName } from '../ui/named/use-names.ts';
import { To } from '../ui/to.tsx';

/** A link to a campaign, which shows its name. */
export function CampaignLink({ code }: { code: string }) {
  return <To to={`campaigns/${code}`}>{useName({ campaign: code })}</To>;
}
