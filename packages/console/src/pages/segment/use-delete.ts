import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { useUndo } from '../../ui/undo.tsx';

/** A draft that was deleted, which Undo creates again. */
interface FormerDraft {
  name: string;
  rule: unknown;
  include_protected: boolean;
}

/**
 * Deletes a segment and leaves its page.
 *
 * @returns a function that deletes. With a draft, it offers an Undo that creates the draft again
 */
export function useDeleteSegment(brand: string, code: string): (former: FormerDraft | undefined) => void {
  const { common } = useText();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const offerUndo = useUndo();
  const createAgain = async ({ name, rule, include_protected }: FormerDraft) => {
    await api.POST('/api/console/v1/brands/{brand}/segments', {
      params: { path: { brand } },
      body: { code, name, rule: rule as never, include_protected },
    });
    await queries.invalidateQueries({ queryKey: [brand, 'segments'] });
    await navigate({ to: '/$brand/segments/$code', params: { brand, code } });
  };
  const { mutate } = useAct(
    async (former: FormerDraft | undefined) => {
      await api.DELETE('/api/console/v1/brands/{brand}/segments/{code}', { params: { path: { brand, code } } });
      return former;
    },
    {
      touches: [brand, 'segments'],
      deletes: [brand, 'segment', code],
      onDone: async (former) => {
        await navigate({ to: '/$brand/segments', params: { brand }, ignoreBlocker: true });
        queries.removeQueries({ queryKey: [brand, 'segment', code], type: 'inactive' });
        if (former !== undefined) offerUndo(common.removed(former.name), () => createAgain(former));
      },
    },
  );
  return mutate;
}
