import type { Draft } from './draft.ts';

/** Unsaved changes of a template. */
export interface KeptDraft {
  /** The version on which the changes are based. */
  version: number;
  draft: Draft;
}

/** The unsaved changes that a tab of the browser keeps for one template. */
export interface KeptDrafts {
  /** Changes of the current version. */
  now?: KeptDraft | undefined;
  /** Changes of older versions, newest first. Each is kept until the user takes it over or discards it. */
  older: readonly KeptDraft[];
}

/**
 * Reads the text that `textOfKept` wrote. If another version has been saved since then, the last changes are the first of `older`. Pure.
 *
 * @param text null if nothing is kept
 * @param version the current version
 */
export function readKept(text: string | null, version: number): KeptDrafts {
  const { now, older } = parsed(text);
  return now === undefined || now.version === version ? { now, older } : { older: [now, ...older] };
}

/** Returns the text to store, or null if there is nothing to keep. Pure. */
export function textOfKept({ now, older }: KeptDrafts): string | null {
  return now === undefined && older.length === 0 ? null : JSON.stringify({ now, older });
}

function parsed(text: string | null): KeptDrafts {
  try {
    const { now, older = [] } = (JSON.parse(text ?? '{}') ?? {}) as Partial<KeptDrafts>;
    // Before an upgrade, the page stored one older text at most, and not as a list.
    return { now, older: [older].flat() };
  } catch {
    return { older: [] };
  }
}
