import { To } from '../ui/to.tsx';
import { useNames } from './player/use-names.ts';

/** A link to a campaign, which shows its name. */
export function CampaignLink({ code }: { code: string }) {
  const naming = useNames();
  return <To to={`campaigns/${code}`}>{naming({ campaign: code })}</To>;
}
