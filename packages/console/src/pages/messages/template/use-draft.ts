import { useEffect, useRef, useState } from 'react';
import { begin, change, type History, redo, undo } from '../../campaign/draft/history.ts';
import type { Draft } from './draft.ts';

/** Changes of one field within this time, in milliseconds, are undone together. */
const togetherMs = 1_000;

interface Kept {
  /** The version that the changes were made to. */
  version: number;
  draft: Draft;
}

/** What is being written, with undo. It is kept in this tab until it is saved, so that leaving the page loses nothing. */
export function useDraft(saved: Draft, version: number, keptAs: string) {
  const [base, setBase] = useState({ draft: saved, version });
  const [isRestored, setRestored] = useState(() => readKept(keptAs, version) !== null);
  const [history, setHistory] = useState<History<Draft>>(() => {
    const kept = readKept(keptAs, version);
    return kept === null ? begin(saved) : change(begin(saved), kept.draft);
  });
  const last = useRef({ key: '', at: 0 });
  const draft = history.now;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base.draft);

  useEffect(() => {
    if (isChanged) sessionStorage.setItem(keptAs, JSON.stringify({ version: base.version, draft } satisfies Kept));
    else sessionStorage.removeItem(keptAs);
  }, [isChanged, draft, base.version, keptAs]);

  return {
    draft,
    isChanged,
    /** The version that was read, for the check that nobody changed it meanwhile. */
    version: base.version,
    /** The draft of before was found when the page was opened. */
    isRestored,
    canUndo: history.past.length > 0,
    canRedo: history.undone.length > 0,
    /** @param key names what is changed: changes of one thing in a row are undone together */
    set(to: Draft, key = '') {
      const isSame = key !== '' && last.current.key === key && Date.now() - last.current.at < togetherMs;
      last.current = { key, at: Date.now() };
      setHistory((now) => (isSame ? { ...now, now: to, undone: [] } : change(now, to)));
    },
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    /** What is on the screen is saved now. */
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

function readKept(keptAs: string, version: number): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keptAs) ?? 'null') as Kept | null;
    return kept?.version === version ? kept : null;
  } catch {
    return null;
  }
}
