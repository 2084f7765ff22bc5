import { useQuery } from '@tanstack/react-query';
import { templatesQuery } from '../../api/queries.ts';
import { useCode } from '../../text/use-code.ts';
import { useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { useNames } from '../player/use-names.ts';

/** The pages of those kinds of subjects that have one. */
const pages: Readonly<Record<string, string>> = {
  campaign: 'campaigns',
  segment: 'segments',
  template: 'messages/templates',
  channel: 'settings/channels',
  rebuild: 'integration/rebuilds',
};

/**
 * Shows what a person acted on. `campaign welcome` becomes a link with the name of the campaign. A deleted subject is
 * shown by its code.
 */
export function AuditSubject({ subject }: { subject: string }) {
  const nameOf = useCode();
  const naming = useNames();
  const [kind = '', id, ...rest] = subject.split(' ');
  const templates = useQuery({ ...templatesQuery(useBrand()), enabled: kind === 'template' });
  const page = pages[kind];
  if (page === undefined || id === undefined) return subject;
  const names: Readonly<Record<string, () => string>> = {
    campaign: () => naming({ campaign: id }),
    segment: () => naming({ segment: id }),
    channel: () => nameOf(id),
    template: () => templates.data?.find(({ code }) => code === id)?.name ?? id,
  };
  return (
    <>
      {nameOf(kind)}{' '}
      <To to={`${page}/${encodeURIComponent(id)}`} isSentence>
        {names[kind]?.() ?? id}
      </To>{' '}
      {rest.join(' ')}
    </>
  );
}
