import type { About } from '../../api/named.ts';
import { useCode } from '../../text/use-code.ts';
import { useName } from '../../ui/named/use-names.ts';
import { To } from '../../ui/to.tsx';
import { type SubjectOwner, subjectPlace } from './subject-place.ts';

/** Kinds of subjects of two words. The first word of any other subject is its kind. */
const longKinds = ['bonus intent', 'bulk action', 'contact rules', 'second factor'];

interface AuditSubjectProps extends SubjectOwner {
  subject: string;
}

/**
 * Shows what a person acted on. `campaign welcome` becomes a link with the name of the campaign. A deleted subject is
 * shown by its code.
 */
export function AuditSubject({ subject, userId, message }: AuditSubjectProps) {
  const nameOf = useCode();
  const kind = longKinds.find((one) => subject.startsWith(one)) ?? subject.split(' ')[0] ?? '';
  const [id, ...rest] = subject.slice(kind.length).trim().split(' ');
  const name = useName(namedSubject(kind, id));
  const place = id === undefined || id === '' ? undefined : subjectPlace(kind, id, { userId, message });
  const isAddress = kind.includes('@');
  if (place === undefined || id === undefined)
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
      <To {...place} isSentence>
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
