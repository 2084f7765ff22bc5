import { useName } from '../ui/named/use-names.ts';
import { To } from '../ui/to.tsx';

/** A link to a segment, which shows its name. */
export function SegmentLink({ code }: { code: string }) {
  return <To to={`segments/${code}`}>{useName({ segment: code })}</To>;
}
