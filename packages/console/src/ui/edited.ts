import { useMemo, useState } from 'react';
import { begin, change, type History, redo, undo } from './history.ts';
import { isSameJson } from './same-json.ts';

/** Content as the platform has stored it: a text, or a document. Every change of the object gives it another revision. */
export interface Stored<Content = string> {
  content: Content;
  revision: string;
}

/** Content while the user edits it. */
export interface Edited<Content = string> {
  content: Content;
  /** The stored content that the user started from, or has decided to replace. */
  base: Stored<Content>;
  /** The content that the user saved last, and the revision that it became. */
  saved?: Stored<Content> | undefined;
}

/**
 * Continues to edit content after the stored content was read again. Pure.
 *
 * - Untouched content becomes the stored content.
 * - Changed content stays. If only other parts of the object were changed, or if the user saved the stored content, the changes are based
 *   on the new revision. If another person changed the stored content, the base stays, and the user has to choose between the two.
 */
export function follow<Content>(edited: Edited<Content>, stored: Stored<Content>): Edited<Content> {
  const { content, base, saved } = edited;
  if (stored.revision === base.revision) return edited;
  const isOwn = saved?.revision === stored.revision;
  const known = isOwn ? saved.content : base.content;
  if (isSameJson(content, known) || isSameJson(content, stored.content))
    return { content: stored.content, base: stored };
  return isOwn || isSameJson(stored.content, base.content) ? { content, base: stored } : edited;
}

/** What `useEdited` keeps: edited content with its history. */
interface Editing<Content> extends Omit<Edited<Content>, 'content'> {
  history: History<Content>;
}

/** The same as `follow`. Content that is replaced can be brought back with Undo. */
function followInHistory<Content>(editing: Editing<Content>, stored: Stored<Content>): Editing<Content> {
  const { history, base, saved } = editing;
  const { content, ...followed } = follow({ content: history.now, base, saved }, stored);
  if (followed.base === base) return editing;
  // Equal content stays the same object, so that no view of it starts again.
  return { ...followed, history: isSameJson(content, history.now) ? history : change(history, content) };
}

/**
 * Edits content that is read again and again while the user edits it.
 *
 * @param first the content to start with, if the user has changed the stored content before
 */
export function useEdited<Content>(stored: Stored<Content>, first: Content = stored.content) {
  const [editing, setEditing] = useState<Editing<Content>>(() => {
    const history = begin(stored.content);
    return { history: first === stored.content ? history : change(history, first), base: stored };
  });
  const followed = followInHistory(editing, stored);
  if (followed !== editing) setEditing(followed);
  const { history, base } = followed;
  const content = history.now;
  const isChanged = useMemo(() => !isSameJson(content, base.content), [content, base.content]);
  const move = (to: (history: History<Content>) => History<Content>) =>
    setEditing((now) => ({ ...now, history: to(now.history) }));
  return {
    content,
    /** If another person has changed the stored content since this revision, saving is refused. */
    revision: base.revision,
    isChanged,
    /** Whether another person has changed the stored content since the user began to change it. */
    isOvertaken: base.revision !== stored.revision,
    /** @param of what is changed, such as a field; changes of the same thing that follow each other within a second are undone together */
    change(to: Content, of?: string) {
      const by = of === undefined ? undefined : { of, at: Date.now() };
      move((before) => change(before, to, by));
    },
    canUndo: history.past.length > 0,
    canRedo: history.undone.length > 0,
    undo: () => move(undo),
    redo: () => move(redo),
    /** Call it after `sent` was saved, before the stored content is read again. */
    keep(sent: Content, revision: string) {
      const saved = { content: sent, revision };
      setEditing((now) => (revision === now.base.revision ? { ...now, base: saved } : { ...now, saved }));
    },
    /** Replaces the content with the stored one. */
    takeStored: () => setEditing((now) => ({ history: change(now.history, stored.content), base: stored })),
    /** @returns a function that later shows the content as it is now, with its unsaved changes */
    remember: () => () => setEditing((now) => ({ history: change(now.history, content), base })),
    /** Keeps the content. Saving it then replaces the stored one. */
    keepOwn: () => setEditing(({ history: kept }) => ({ history: kept, base: stored })),
  };
}
