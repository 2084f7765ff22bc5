import { createContext, useContext } from 'react';
import type { RuleProblem } from '../../../rule-builder/index.ts';
import { type Draft, type Place, pathOf, read, write } from './edits.ts';

/** The platform's answer about the document: its errors, and its rules as sentences. */
export interface Checked {
  errors: readonly RuleProblem[];
  rules: readonly { path: string; sentence: string }[];
}

/** The selected part: a step by its id, or a part of the campaign. */
export type Selection = { step: string } | { part: 'entry' | 'rules' };

export const countedStates = ['waiting', 'held', 'withheld', 'done'] as const;
export type CountedState = (typeof countedStates)[number];

export type StepCounts = Readonly<Record<CountedState, number>> & {
  held_by: readonly { reason: string; count: number }[];
  withheld_by: readonly { reason: string; count: number }[];
  arms: readonly { variant: string; count: number }[];
};

/** States which players to list: those at a step, with a state, a reason or an arm. */
export interface CountedPlayers {
  step: string;
  state: CountedState;
  reason?: string;
  variant?: string;
}

/** Everything that the views of a draft share. */
export interface Editing {
  brand: string;
  draft: Draft;
  checked: Checked;
  mayEdit: boolean;
  /** @param of path of the field; changes of the same field that follow each other within a second are undone together */
  change(draft: Draft, of?: Place): void;
  /** The text of the JSON editor, if it is not valid JSON yet. */
  invalidText?: string | undefined;
  /** Keeps such a text as an unsaved change. */
  keepInvalidText(text: string, of: Place): void;
  selected: Selection | undefined;
  select(selection: Selection | undefined): void;
  /** Counts of the runs of published versions, by step. */
  counts: ReadonlyMap<string, StepCounts>;
  /** Opens the list of players behind a count. */
  showPlayers(of: CountedPlayers): void;
  /** Set in a trial: the outcome of each step for one player, by the id of the step. */
  marks?: ReadonlyMap<string, string>;
  /** Id of the step that is being moved. */
  moving: string | undefined;
  setMoving(id: string | undefined): void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('a part of the campaign editor was used outside of the editor');
  return editing;
}

/** Returns one field of the document: its value, its setter, and the first error at it or below it. */
export function useField(place: Place) {
  const { draft, checked, mayEdit, change } = useEditing();
  return {
    value: read(draft, place),
    /** Sets the value. Undefined removes the field. */
    set: (value: unknown) => change(write(draft, place, value), place),
    error: errorAt(checked, place),
    disabled: !mayEdit,
  };
}

const isAt = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

/** Returns the first error at a path or below it. */
export function errorAt({ errors }: Checked, place: Place): string | undefined {
  return errors.find(({ path }) => isAt(path, pathOf(place)))?.message;
}

/** Returns the errors in a part of the document, with their paths within this part. */
export function errorsIn({ errors }: Checked, place: Place): RuleProblem[] {
  const root = pathOf(place);
  return errors
    .filter(({ path }) => isAt(path, root))
    .map(({ path, message }) => ({ path: path.slice(root.length), message }));
}

export function sentenceAt({ rules }: Checked, place: Place): string | undefined {
  return rules.find(({ path }) => path === pathOf(place))?.sentence;
}
