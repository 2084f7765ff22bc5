import { useEditing } from '../draft/editing.ts';
import { duplicateStep, moveStep, readList, readText, removeStep, type StepPlace } from '../draft/edits.ts';

/** Changes of a step as a whole, after which the step that it is about is selected: by buttons and by keys. */
export function useStepActions() {
  const { draft, change, select, setMoving } = useEditing();
  return {
    move: (place: StepPlace, by: 1 | -1) => change(moveStep(draft, place, by)),
    duplicate(place: StepPlace) {
      const made = duplicateStep(draft, place);
      change(made.draft);
      select({ step: made.id });
    },
    /** The step behind it, or the one before, is selected then. */
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
