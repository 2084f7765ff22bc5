import { CloseButton } from './icon-button.tsx';
import type { View } from './view.ts';

/**
 * The notice about a change that was reverted. It is shown until the player dismisses it. It is inside the open inbox,
 * because elements outside a modal cannot be reached.
 */
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
