import { useEffect, useState } from 'react';
import { useEdited } from '../../../ui/edited.ts';
import type { Draft } from './draft.ts';
import { readKept, textOfKept } from './kept-drafts.ts';

/**
 * Returns the edited text, with undo. It follows the versions of other persons (`useEdited`). This tab keeps the text until it is saved,
 * so the user loses nothing by leaving the page. If another person has saved a version while the user was away, the editor shows that
 * version, and `older` contains the kept text.
 */
export function useDraft(stored: Draft, newest: number, storageKey: string) {
  const [found] = useState(() => readKept(sessionStorage.getItem(storageKey), newest));
  const [isRestored, setRestored] = useState(found.now !== undefined);
  const [olders, setOlders] = useState(found.older);
  const edited = useEdited({ content: stored, revision: String(newest) }, found.now?.draft);
  const { content: draft, isChanged } = edited;
  const version = Number(edited.revision);
  const [older] = olders;
  const dropOlder = () => setOlders(olders.slice(1));

  useEffect(() => {
    const text = textOfKept({ now: isChanged ? { version, draft } : undefined, older: olders });
    if (text === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, text);
  }, [isChanged, draft, version, olders, storageKey]);

  return {
    draft,
    isChanged,
    /** The version that the editor shows or, if the text was changed, the version on which the changes are based. */
    version,
    /** True if an earlier draft was found when the page was opened, and the user has not decided about it. */
    isRestored: isRestored && isChanged && !edited.isOvertaken,
    /** Whether another person has saved a version since the user began to change this one. */
    isOvertaken: edited.isOvertaken,
    keepOwn: edited.keepOwn,
    takeStored: edited.takeStored,
    /** Unsaved changes of an older version, which were found when the page was opened: the newest that the user has not decided about. */
    older,
    /** Puts the older changes into the editor. Undo restores the previous text. */
    takeOlder() {
      if (older === undefined) return;
      edited.change(older.draft);
      dropOlder();
    },
    dropOlder,
    canUndo: edited.canUndo,
    canRedo: edited.canRedo,
    /** @param key identifies what is changed; consecutive changes with the same key are undone together */
    set: (to: Draft, key?: string) => edited.change(to, key),
    undo: edited.undo,
    redo: edited.redo,
    /** Call this when a text was saved, before the template is read again. */
    keep(sent: Draft, made: number) {
      edited.keep(sent, String(made));
      setRestored(false);
    },
    discard() {
      edited.takeStored();
      setRestored(false);
    },
  };
}
