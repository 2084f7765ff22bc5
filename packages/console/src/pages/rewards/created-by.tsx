import { To } from '../../ui/to.tsx';
import { useNames } from '../player/use-names.ts';

/** Shows who ordered a bonus: an account, or a campaign by its name (`created_by` of the API: `campaign <code>`). */
export function CreatedBy({ of }: { of: string }) {
  const naming = useNames();
  const campaign = /^campaign (\S+)$/.exec(of)?.[1];
  return campaign === undefined ? of : <To to={`campaigns/${campaign}`}>{naming({ campaign })}</To>;
}
