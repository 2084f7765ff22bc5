import { useState } from 'react';

/** A text as the platform has stored it. Every change of the object gives it another revision. */
export interface Stored {
  text: string;
  revision: string;
}

/** A text while the user edits it. */
export interface Edited {
  text: string;
  /** The stored text that the user started from, or has decided to replace. */
  base: Stored;
  /** The text that the user saved last, and the revision that it became. */
  saved?: Stored | undefined;
}

/**
 * Continues to edit a text after the stored text was read again. Pure.
 *
 * - An untouched text becomes the stored text.
 * - A changed text stays. If only other parts of the object were changed, or if the user saved the stored text, the changes are based on
 *   the new revision. If another person changed the stored text, the base stays, and the user has to choose between the two texts.
 */
export function follow(edited: Edited, stored: Stored): Edited {
  const { text, base, saved } = edited;
  if (stored.revision === base.revision) return edited;
  const isOwn = saved?.revision === stored.revision;
  const known = isOwn ? saved.text : base.text;
  if (text === known || text === stored.text) return { text: stored.text, base: stored };
  return isOwn || stored.text === base.text ? { text, base: stored } : edited;
}

/** Edits a text that is read again and again while the user edits it. */
export function useEdited(stored: Stored) {
  const [edited, setEdited] = useState<Edited>(() => ({ text: stored.text, base: stored }));
  const followed = follow(edited, stored);
  if (followed !== edited) setEdited(followed);
  const { text, base } = followed;
  return {
    text,
    /** If another person has changed the stored text since this revision, saving is refused. */
    revision: base.revision,
    isChanged: text !== base.text,
    /** Whether another person has changed the stored text since the user began to change it. */
    isOvertaken: base.revision !== stored.revision,
    change: (to: string) => setEdited((now) => ({ ...now, text: to })),
    /** Call it after `sent` was saved, before the stored text is read again. */
    keep: (sent: string, revision: string) => setEdited((now) => ({ ...now, saved: { text: sent, revision } })),
    /** Replaces the text with the stored one. */
    takeStored: () => setEdited({ text: stored.text, base: stored }),
    /** Keeps the text. Saving it then replaces the stored one. */
    keepOwn: () => setEdited((now) => ({ ...now, base: stored })),
  };
}
