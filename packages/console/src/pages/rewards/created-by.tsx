import { useCode } from '../../text/use-code.ts';
import { CampaignLink } from '../campaign-link.tsx';

/** Shows who ordered a bonus: an account, or a campaign by its name (`created_by` of the API: `campaign <code>`). */
export function CreatedBy({ of }: { of: string }) {
  const nameOf = useCode();
  const campaign = /^campaign (\S+)$/.exec(of)?.[1];
  // E-mail addresses are not codes.
  if (campaign === undefined) return of === 'admin token' ? nameOf(of) : of;
  return <CampaignLink code={campaign} />;
}
