import { Button } from '@mantine/core';
import { api } from '../../api/client.ts';
import type { SegmentShown } from '../../api/queries.ts';
import { useText } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { useUndo } from '../../ui/undo.tsx';

interface PauseSegmentProps {
  brand: string;
  code: string;
  state: SegmentShown['state'];
}

/** Pauses a live segment, or resumes a paused one. Undo does the opposite. */
export function PauseSegment({ brand, code, state }: PauseSegmentProps) {
  const { segments: words } = useText();
  const offerUndo = useUndo();
  const act = useAct(
    (action: 'pause' | 'resume') =>
      api.POST(`/api/console/v1/brands/{brand}/segments/{code}/${action}`, { params: { path: { brand, code } } }),
    { touches: [brand, 'segment', code] },
  );
  const pause = () =>
    act.mutate('pause', { onSuccess: () => offerUndo(words.paused, () => act.mutateAsync('resume')) });
  const resume = () =>
    act.mutate('resume', { onSuccess: () => offerUndo(words.resumed, () => act.mutateAsync('pause')) });
  return state === 'paused' ? (
    <Button variant="default" onClick={resume}>
      {words.resume}
    </Button>
  ) : (
    <Button variant="default" onClick={pause} disabled={state !== 'live'}>
      {words.pause}
    </Button>
  );
}
