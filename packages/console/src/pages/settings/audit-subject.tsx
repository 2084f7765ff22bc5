import { useCode } from '../../text/use-code.ts';
import { To } from '../../ui/to.tsx';
import { useNames } from '../player/use-names.ts';

/** Pages of subjects that have one, by the kind of the subject. */
const pages: Readonly<Record<string, string>> = {
  campaign: 'campaigns',
  segment: 'segments',
  template: 'messages/templates',
  channel: 'settings/channels',
  rebuild: 'integration/rebuilds',
};

/** What a person acted on: `campaign welcome` becomes a link with the name of the campaign. */
export function AuditSubject({ subject }: { subject: string }) {
  const nameOf = useCode();
  const naming = useNames();
  const [kind = '', id, ...rest] = subject.split(' ');
  const page = pages[kind];
  if (page === undefined || id === undefined) return subject;
  const names: Readonly<Record<string, () => string>> = {
    campaign: () => naming({ campaign: id }),
    segment: () => naming({ segment: id }),
    channel: () => nameOf(id),
  };
  return (
    <>
      {nameOf(kind)} <To to={`${page}/${encodeURIComponent(id)}`}>{names[kind]?.() ?? id}</To> {rest.join(' ')}
    </>
  );
}
