import { CloseButton } from './icon-button.tsx';
import type { View } from './view.ts';

/** A change that was taken back, said until the player has seen it. Inside the open inbox, as what is outside a modal cannot be reached. */
export function Problem({ view }: { view: View }) {
  const { state, actions, text } = view;
  return (
    state.problem && (
      <div class="crm-banner crm-problem" role="alert">
        <p class="crm-words">{text(state.problem)}</p>
        <CloseButton view={view} onPress={() => actions.dismissProblem()} />
      </div>
    )
  );
}
