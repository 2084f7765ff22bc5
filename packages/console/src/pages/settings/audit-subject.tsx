import type { About } from '../../api/named.ts';
import { useCode } from '../../text/use-code.ts';
import { useName } from '../../ui/named/use-names.ts';
import { To } from '../../ui/to.tsx';

/** The pages of those kinds of subjects that have one. */
const pages: Readonly<Record<string, string>> = {
  campaign: 'campaigns',
  segment: 'segments',
  template: 'messages/templates',
  channel: 'settings/channels',
  rebuild: 'integration/rebuilds',
  quarantine: 'integration/quarantine',
  reconciliation: 'integration/reconciliations',
  'bonus intent': 'rewards/intents',
  'bulk action': 'messages/bulk-actions',
};

/** Kinds of subjects of two words. The first word of any other subject is its kind. */
const longKinds = ['bonus intent', 'bulk action', 'contact rules', 'second factor'];

interface AuditSubjectProps {
  subject: string;
  /** The operator's id of the player, if the subject is a player. */
  userId: string | null;
}

/**
 * Shows what a person acted on. `campaign welcome` becomes a link with the name of the campaign. A deleted subject is
 * shown by its code.
 */
export function AuditSubject({ subject, userId }: AuditSubjectProps) {
  const nameOf = useCode();
  const kind = longKinds.find((one) => subject.startsWith(one)) ?? subject.split(' ')[0] ?? '';
  const [id, ...rest] = subject.slice(kind.length).trim().split(' ');
  const name = useName(namedSubject(kind, id));
  const page = userId === null ? pages[kind] : 'players';
  const isAddress = kind.includes('@');
  if (page === undefined || id === undefined || id === '')
    return <>{isAddress ? subject : [nameOf(kind, 'subject'), id, ...rest].filter(Boolean).join(' ')}</>;
  const names: Readonly<Record<string, () => string>> = {
    channel: () => nameOf(id),
    player: () => userId ?? id,
    // The number of a bonus has no meaning for a person.
    'bonus intent': () => id.slice(0, 8),
  };
  return (
    <>
      {nameOf(kind, 'subject')}{' '}
      <To to={`${page}/${encodeURIComponent(userId ?? id)}`} isSentence>
        {names[kind]?.() ?? (name || id)}
      </To>{' '}
      {rest.join(' ')}
    </>
  );
}

/** Returns the campaign, segment or template whose name is shown. */
function namedSubject(kind: string, id = ''): About | undefined {
  switch (kind) {
    case 'campaign':
      return { campaign: id };
    case 'segment':
      return { segment: id };
    case 'template':
      return { template: id };
    default:
      return undefined;
  }
}
