import { useEditing } from '../draft/editing.ts';
import { duplicateStep, moveStep, readList, readText, removeStep, type StepPlace } from '../draft/edits.ts';

/** Returns the changes of a whole step, for buttons and keys. After a change, the step is selected. */
export function useStepActions() {
  const { draft, change, select, setMoving } = useEditing();
  return {
    move: (place: StepPlace, by: 1 | -1) => change(moveStep(draft, place, by)),
    duplicate(place: StepPlace) {
      const made = duplicateStep(draft, place);
      change(made.draft);
      select({ step: made.id });
    },
    /** Removes a step, and selects the next step or the previous one. */
    remove(place: StepPlace) {
      const { list, at } = place;
      const steps = readList(draft, list);
      const next = readText(steps[at + 1] ?? steps[at - 1], ['id']);
      change(removeStep(draft, place));
      select(next === '' ? undefined : { step: next });
    },
    beginMoving(id: string) {
      setMoving(id);
    },
  };
}
