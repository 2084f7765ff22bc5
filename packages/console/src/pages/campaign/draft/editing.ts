import { createContext, useContext } from 'react';
import type { RuleProblem } from '../../../rule-builder/index.ts';
import { type Draft, type Place, pathOf, read, write } from './edits.ts';

/** What the platform says of the document: its mistakes, and its rules in words. */
export interface Checked {
  errors: readonly RuleProblem[];
  rules: readonly { path: string; sentence: string }[];
}

/** What is shown beside the views, or opened in them: a step by its id, or a part of the campaign. */
export type Selection = { step: string } | { part: 'entry' | 'rules' };

export const countedStates = ['waiting', 'held', 'withheld', 'done'] as const;
export type CountedState = (typeof countedStates)[number];

export type StepCounts = Readonly<Record<CountedState, number>> & {
  held_by: readonly { reason: string; count: number }[];
  withheld_by: readonly { reason: string; count: number }[];
  arms: readonly { variant: string; count: number }[];
};

/** Which players to list: those at a step in a state, of a reason or of an arm. */
export interface CountedPlayers {
  step: string;
  state: CountedState;
  reason?: string;
  variant?: string;
}

/** What every view of a draft works with. */
export interface Editing {
  brand: string;
  draft: Draft;
  checked: Checked;
  mayEdit: boolean;
  /** @param of the place of a field: changes of it that follow closely are undone together */
  change(draft: Draft, of?: Place): void;
  selected: Selection | undefined;
  select(selection: Selection | undefined): void;
  /** Where the runs of published versions stand, by step. */
  counts: ReadonlyMap<string, StepCounts>;
  /** Opens the list of the players behind a count. */
  showPlayers(of: CountedPlayers): void;
  /** What became of one player at each step, by its id, where a trial is shown. */
  marks?: ReadonlyMap<string, string>;
  /** Id of the step that is being moved to another place. */
  moving: string | undefined;
  setMoving(id: string | undefined): void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('a part of the campaign editor stands outside of one');
  return editing;
}

/** One field of the document: its value, how to change it, and what is wrong with it or below it. */
export function useField(place: Place) {
  const { draft, checked, mayEdit, change } = useEditing();
  return {
    value: read(draft, place),
    /** Without a value the field is left out. */
    set: (value: unknown) => change(write(draft, place, value), place),
    error: errorAt(checked, place),
    disabled: !mayEdit,
  };
}

const isAt = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

/** What is wrong at a place or below it; the first of several. */
export function errorAt({ errors }: Checked, place: Place): string | undefined {
  return errors.find(({ path }) => isAt(path, pathOf(place)))?.message;
}

/** What is wrong in a part of the document, by the path within it. */
export function errorsIn({ errors }: Checked, place: Place): RuleProblem[] {
  const root = pathOf(place);
  return errors
    .filter(({ path }) => isAt(path, root))
    .map(({ path, message }) => ({ path: path.slice(root.length), message }));
}

export function sentenceAt({ rules }: Checked, place: Place): string | undefined {
  return rules.find(({ path }) => path === pathOf(place))?.sentence;
}
