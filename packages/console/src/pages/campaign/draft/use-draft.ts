import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import { type Stored, useEdited } from '../../../ui/edited.ts';
import type { Checked } from './editing.ts';
import { type Draft, type Place, pathOf } from './edits.ts';
import { useRuleSentences } from './use-rule-sentences.ts';

/** Milliseconds between the last change and the check of the draft by the platform. */
const restMs = 300;
const nothing: Checked = { errors: [], rules: [] };

/** A draft, and the text of its JSON editor while that is not valid JSON. Such a text is an unsaved change like any other. */
interface Written {
  /** While the text is not valid, the draft of the last valid text. */
  draft: Draft;
  invalidText?: string | undefined;
}

/**
 * Returns the draft of a campaign while it is edited. It follows the drafts of other persons (`useEdited`), has a history and the
 * platform's answer about it, and can be saved.
 *
 * @param stored the draft, or the document of the current version if there is no draft
 */
export function useDraft(brand: string, code: string, stored: Stored<Draft>) {
  const words = useWords(campaignEditor);
  const edited = useEdited<Written>({ content: { draft: stored.content }, revision: stored.revision });
  const {
    content: { draft, invalidText },
    revision,
  } = edited;
  const change = (to: Written, of?: Place) => edited.change(to, of && pathOf(of));
  const [rested] = useDebouncedValue(draft, restMs);
  const check = useQuery({
    queryKey: [brand, 'campaign-check', JSON.stringify(rested)],
    queryFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/check', {
          params: { path: { brand } },
          body: { campaign: rested },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const rules = useRuleSentences(brand, rested, check.data?.rules ?? []);
  const checked = check.data && { ...check.data, rules };
  const save = useAct(
    async (body: Draft) => {
      const saved = await bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/campaigns/{code}', {
          params: { path: { brand, code }, query: { revision } },
          body,
        }),
      );
      return { body, revision: saved.revision };
    },
    {
      touches: [brand, 'campaign', code],
      done: words.saved,
      onDone: (saved) => edited.keep({ draft: saved.body }, saved.revision),
    },
  );
  return {
    draft,
    /** The text of the JSON editor, if it is not valid JSON yet. The draft cannot be saved then. */
    invalidText,
    /** The revision that the page shows or, if the draft was changed, the revision on which the changes are based. */
    revision,
    checked: checked ?? nothing,
    /** True while the answer is about an earlier state of the draft. */
    isCheckOld: draft !== rested || check.isPlaceholderData || check.isPending,
    isChanged: edited.isChanged,
    /** Whether another person has changed the draft since the user began to change it. */
    isOvertaken: edited.isOvertaken,
    keepOwn: edited.keepOwn,
    takeStored: edited.takeStored,
    canUndo: edited.canUndo,
    canRedo: edited.canRedo,
    isSaving: save.isPending,
    change: (to: Draft, of?: Place) => change({ draft: to }, of),
    /** Keeps a text that is not valid JSON yet, until a valid text or a change in another view replaces it. */
    keepInvalidText: (text: string, of: Place) => change({ draft, invalidText: text }, of),
    undo: edited.undo,
    redo: edited.redo,
    /** Shows a document that replaced the stored draft. */
    replace({ content, revision: made }: Stored<Draft>) {
      change({ draft: content });
      edited.keep({ draft: content }, made);
    },
    remember: edited.remember,
    save: () => save.mutate(draft),
  };
}
