import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import type { Checked } from './editing.ts';
import { type Draft, type Place, pathOf } from './edits.ts';
import { begin, change, redo, undo } from './history.ts';
import { useRuleSentences } from './use-rule-sentences.ts';

/** Milliseconds between the last change and the check of the draft by the platform. */
const restMs = 300;
const nothing: Checked = { errors: [], rules: [] };

/**
 * Returns the draft of a campaign while it is edited. It has a history and the platform's answer about it, and can be
 * saved.
 *
 * @param document of the draft, or of the current version if there is no draft
 * @param revision of the document; if another person has changed it since, saving is refused
 */
export function useDraft(brand: string, code: string, document: Draft, revision: string) {
  const words = useWords(campaignEditor);
  const [history, setHistory] = useState(() => begin(document));
  const [saved, setSaved] = useState({ document, revision });
  const draft = history.now;
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
    (body: Draft) =>
      bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/campaigns/{code}', {
          params: { path: { brand, code }, query: { revision: saved.revision } },
          body,
        }),
      ),
    { touches: [brand, 'campaign', code], done: words.saved },
  );
  return {
    draft,
    /** The revision of the document that was saved or read last. */
    revision: saved.revision,
    checked: checked ?? nothing,
    /** True while the answer is about an earlier state of the draft. */
    isCheckOld: draft !== rested || check.isPlaceholderData || check.isPending,
    isChanged: draft !== saved.document,
    canUndo: history.past.length > 0,
    canRedo: history.undone.length > 0,
    isSaving: save.isPending,
    change: (to: Draft, of?: Place) =>
      setHistory((before) => change(before, to, of && { of: pathOf(of), at: Date.now() })),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    /** Replaces the draft by another document that the platform has stored as the draft. */
    replace(to: Draft, revision: string) {
      setHistory((before) => change(before, to));
      setSaved({ document: to, revision });
    },
    save: () => save.mutate(draft, { onSuccess: ({ revision }) => setSaved({ document: draft, revision }) }),
  };
}
