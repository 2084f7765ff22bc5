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
  /** Changes of an older version. They are kept until the user takes them over or discards them. */
  older?: KeptDraft | undefined;
}

/**
 * Reads the text that `textOfKept` wrote. If another version has been saved since then, the last changes become `older`. Pure.
 *
 * @param text null if nothing is kept
 * @param version the current version
 */
export function readKept(text: string | null, version: number): KeptDrafts {
  const kept = parsed(text);
  return kept.now === undefined || kept.now.version === version ? kept : { older: kept.now };
}

/** Returns the text to store, or null if there is nothing to keep. Pure. */
export function textOfKept({ now, older }: KeptDrafts): string | null {
  return now === undefined && older === undefined ? null : JSON.stringify({ now, older });
}

function parsed(text: string | null): KeptDrafts {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as KeptDrafts;
  } catch {
    return {};
  }
}
