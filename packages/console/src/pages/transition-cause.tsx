import { useCode } from '../text/use-code.ts';
import { useName } from '../ui/named/use-names.ts';
import { To } from '../ui/to.tsx';
import { type CauseOfTransition, transitionCauseLink } from './player/timeline-words.ts';

/** Why a player entered or left a segment, such as `event: payment`. If there is a page for the cause, it is a link. */
export function TransitionCause({ cause }: { cause: CauseOfTransition & { kind?: string | undefined } }) {
  const { type, kind, code } = cause;
  const nameOf = useCode();
  const segmentName = useName(code === undefined ? undefined : { segment: code });
  const detail = kind === undefined ? segmentName : nameOf(kind);
  const text = [nameOf(type), detail].filter(Boolean).join(': ');
  const link = transitionCauseLink(cause);
  return link === undefined ? text : <To {...link}>{text}</To>;
}
