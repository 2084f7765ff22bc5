import { useEffect, useRef, useState } from 'react';
import { begin, change, type History, redo, undo } from '../../campaign/draft/history.ts';
import type { Draft } from './draft.ts';

/** Milliseconds within which changes of one field are undone together. */
const togetherMs = 1_000;

interface StoredDraft {
  /** The version on which the changes are based. */
  version: number;
  draft: Draft;
}

/**
 * Returns the edited text, with undo. This tab keeps the text until it is saved, so the user loses nothing by leaving
 * the page.
 */
export function useDraft(saved: Draft, version: number, storageKey: string) {
  const [base, setBase] = useState({ draft: saved, version });
  const [isRestored, setRestored] = useState(() => readStored(storageKey, version) !== null);
  const [history, setHistory] = useState<History<Draft>>(() => {
    const stored = readStored(storageKey, version);
    return stored === null ? begin(saved) : change(begin(saved), stored.draft);
  });
  const last = useRef({ key: '', at: 0 });
  const draft = history.now;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base.draft);

  useEffect(() => {
    if (isChanged)
      sessionStorage.setItem(storageKey, JSON.stringify({ version: base.version, draft } satisfies StoredDraft));
    else sessionStorage.removeItem(storageKey);
  }, [isChanged, draft, base.version, storageKey]);

  return {
    draft,
    isChanged,
    /** The version that was read. It is used to detect a change by another person. */
    version: base.version,
    /** True if an earlier draft was found when the page was opened. */
    isRestored,
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

function readStored(storageKey: string, version: number): StoredDraft | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as StoredDraft | null;
    return stored?.version === version ? stored : null;
  } catch {
    return null;
  }
}
