import { useText } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { useName } from '../ui/named/use-names.ts';
import { To } from '../ui/to.tsx';
import { type CauseOfTransition, transitionCauseLink } from './player/timeline-words.ts';
import { CreatedBy } from './rewards/created-by.tsx';

interface TransitionCauseProps {
  cause: CauseOfTransition & {
    /** Of an event. */
    kind?: string | undefined;
    /** Of a change of records or of protection. */
    source?: string | undefined;
    /** Of a rule. */
    version?: number | undefined;
    /** The tag that was set or removed. */
    tag?: string | undefined;
    /** Who changed the tag: an account, or `campaign <code>`. */
    by?: string | undefined;
  };
}

/** Why a player entered or left a segment, such as `event: payment`. If there is a page for the cause, it is a link. */
export function TransitionCause({ cause }: TransitionCauseProps) {
  const { type, kind, source, version, tag, by, code } = cause;
  const { common } = useText();
  const nameOf = useCode();
  const segmentName = useName(code === undefined ? undefined : { segment: code });
  const detail = [
    kind && nameOf(kind),
    source && nameOf(source),
    version !== undefined && `${common.version} ${version}`,
    tag,
    segmentName,
  ].find(Boolean);
  const text = [nameOf(type), detail].filter(Boolean).join(': ');
  const link = transitionCauseLink(cause);
  return (
    <>
      {link === undefined ? text : <To {...link}>{text}</To>}
      {by !== undefined && (
        <>
          {' '}
          (<CreatedBy of={by} />)
        </>
      )}
    </>
  );
}
