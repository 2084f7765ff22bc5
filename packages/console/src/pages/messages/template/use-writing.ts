import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf, isConflict } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { useUndo } from '../../../ui/undo.tsx';
import type { TemplateShown } from '../queries.ts';
import type { Draft } from './draft.ts';
import { previewsOf } from './use-preview.ts';

/**
 * Returns functions that save and delete the template. Both can be undone.
 *
 * @param keep called when a text was saved, before the template is read again
 */
export function useWriting({ code, channel }: TemplateShown, keep: (sent: Draft, made: number) => void) {
  const brand = useBrand();
  const words = useWords(messages).editor;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { brand, code } };
  const shown = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [brand, 'template', code], exact: true }),
      queries.invalidateQueries({ queryKey: [brand, 'template', code, 'versions'] }),
      queries.invalidateQueries({ queryKey: [brand, 'templates'] }),
    ]);
  const put = ({ draft, version }: { draft: Draft; version?: number | undefined }) =>
    bodyOf(
      api.PUT('/api/console/v1/brands/{brand}/templates/{code}', {
        params,
        body: {
          channel,
          name: draft.name,
          purpose: draft.purpose,
          content: draft.content as Record<string, Record<string, unknown>>,
          ...(version !== undefined && { version }),
        },
      }),
    );
  const save = useMutation({
    mutationFn: put,
    onSuccess: async ({ version }, { draft }) => {
      keep(draft, version);
      notifications.show({ message: words.saved(version), color: 'green' });
      await shown();
    },
    // If another person has saved a version, the page shows it, and the user can choose.
    onError: (error) => (isConflict(error) ? shown() : undefined),
  });
  const createAgain = async (template: TemplateShown) => {
    const { name, purpose, content } = template;
    await put({ draft: { name, purpose, content } });
    await shown();
    await navigate({ to: `/${brand}/messages/templates/${code}` as '/' });
  };
  const { common } = useText();
  const offerUndo = useUndo();
  const remove = useAct(
    async (template: TemplateShown) => {
      await queries.cancelQueries({ queryKey: previewsOf(brand, code) });
      await api.DELETE('/api/console/v1/brands/{brand}/templates/{code}', { params });
      return template;
    },
    {
      touches: [brand, 'templates'],
      deletes: [brand, 'template', code],
      onDone: async (template) => {
        await navigate({ to: `/${brand}/messages/templates` as '/' });
        queries.removeQueries({ queryKey: [brand, 'template', code], type: 'inactive' });
        offerUndo(common.removed(template.name), () => createAgain(template));
      },
    },
  );
  return { save, remove: remove.mutateAsync, isRemoving: remove.isPending };
}
