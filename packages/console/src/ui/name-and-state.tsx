import { useText } from '../text/text.tsx';
import { Choice, FilterBar, Words } from './filters.tsx';

/** The filters of a list whose items have a name, a code and a state. The platform applies them. */
export function NameAndState({ states }: { states: readonly string[] }) {
  const { common } = useText();
  return (
    <FilterBar>
      <Words name="name" label={common.nameContains} />
      <Choice name="state" label={common.state} of={states} />
    </FilterBar>
  );
}
