import { useEffect, useRef, useState } from 'react';
import { begin, change, type History, redo, undo } from '../../campaign/draft/history.ts';
import type { Draft } from './draft.ts';
import { readKept, textOfKept } from './kept-drafts.ts';

/** Milliseconds within which changes of one field are undone together. */
const togetherMs = 1_000;

/**
 * Returns the edited text, with undo. This tab keeps the text until it is saved, so the user loses nothing by leaving
 * the page. If another person has saved a version in the meantime, the editor shows that version, and `older` contains the
 * kept text.
 */
export function useDraft(saved: Draft, version: number, storageKey: string) {
  const [base, setBase] = useState({ draft: saved, version });
  const [found] = useState(() => readKept(sessionStorage.getItem(storageKey), version));
  const [isRestored, setRestored] = useState(found.now !== undefined);
  const [older, setOlder] = useState(found.older);
  const [history, setHistory] = useState<History<Draft>>(() =>
    found.now === undefined ? begin(saved) : change(begin(saved), found.now.draft),
  );
  const last = useRef({ key: '', at: 0 });
  const draft = history.now;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base.draft);

  useEffect(() => {
    const text = textOfKept({ now: isChanged ? { version: base.version, draft } : undefined, older });
    if (text === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, text);
  }, [isChanged, draft, base.version, older, storageKey]);

  return {
    draft,
    isChanged,
    /** The version that was read. It is used to detect a change by another person. */
    version: base.version,
    /** True if an earlier draft was found when the page was opened. */
    isRestored,
    /** Unsaved changes of an older version, which were found when the page was opened. */
    older,
    /** Puts the older changes into the editor. Undo restores the previous text. */
    takeOlder() {
      if (older === undefined) return;
      setHistory((now) => change(now, older.draft));
      setOlder(undefined);
    },
    dropOlder: () => setOlder(undefined),
    canUndo: history.past.length > 0,
    canRedo: history.undone.length > 0,
    /** @param key identifies what is changed; consecutive changes with the same key are undone together */
    set(to: Draft, key = '') {
      const isSame = key !== '' && last.current.key === key && Date.now() - last.current.at < togetherMs;
      last.current = { key, at: Date.now() };
      setHistory((now) => (isSame ? { ...now, now: to, undone: [] } : change(now, to)));
    },
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    /** Call this when the current text has been saved. */
    keep(version: number) {
      setBase({ draft, version });
      setRestored(false);
    },
    discard() {
      setHistory(begin(base.draft));
      setRestored(false);
    },
  };
}
