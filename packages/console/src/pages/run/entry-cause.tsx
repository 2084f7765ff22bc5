import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useName } from '../../ui/named/use-names.ts';
import { To } from '../../ui/to.tsx';
import { Moment } from '../../ui/values.tsx';
import { transitionCauseLink } from '../player/timeline-words.ts';

interface EntryCauseProps {
  cause: {
    type: string;
    at: string;
    id?: string | undefined;
    kind?: string | undefined;
    code?: string | undefined;
    transition?: string | undefined;
    local?: string | undefined;
    key?: string | undefined;
  };
}

/** Why a run began. An event is linked to the event inspector, and a segment to its page. */
export function EntryCause({ cause: { type, at, id, kind, code, transition, local, key } }: EntryCauseProps) {
  const { events } = useWords(campaignEditor);
  const nameOf = useCode();
  const segmentName = useName(type === 'segment' && code !== undefined ? { segment: code } : undefined);
  const link = transitionCauseLink({ type, id, code });
  const detail = {
    event: kind === undefined ? '' : ((events as Readonly<Record<string, string>>)[kind] ?? nameOf(kind)),
    segment: [segmentName, transition && nameOf(transition)].filter(Boolean).join(', '),
    schedule: local?.replace('T', ' ') ?? '',
    api: key ?? '',
  }[type];
  const text = [nameOf(type), detail].filter(Boolean).join(': ');
  return (
    <>
      {link === undefined ? (
        text
      ) : (
        <To to={link.to} isSentence>
          {text}
        </To>
      )}{' '}
      (<Moment at={at} />)
    </>
  );
}
