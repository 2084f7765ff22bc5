import { Button, Group, NativeSelect, NumberInput } from '@mantine/core';
import { useBuilding } from './builder-context.ts';
import type { CatalogField } from './catalog.ts';
import { conditionOn } from './conditions.ts';
import { DurationInput } from './duration-input.tsx';
import { GroupEditor } from './group-editor.tsx';
import type { Condition } from './tree.ts';

interface CountProps {
  condition: Condition;
  onChange(condition: Condition): void;
}

/** Edits how often a fact happened, and in which period. */
export function CountEditor({ condition, onChange }: CountProps) {
  const { words } = useBuilding();
  const { mode, threshold } = condition.match ?? { mode: 'atLeast', threshold: 1 };
  const { within, ...rest } = condition;
  const isEver = within === undefined;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={words.howOften}
        value={mode}
        onChange={(event) => onChange({ ...condition, match: { mode: event.currentTarget.value, threshold } })}
        data={['atLeast', 'atMost', 'exactly'].map((value) => ({ value, label: words.operators[value] ?? value }))}
      />
      <NumberInput
        size="xs"
        w={80}
        aria-label={words.times}
        value={threshold as number}
        min={0}
        allowDecimal={false}
        onChange={(value) => onChange({ ...condition, match: { mode, threshold: value } })}
      />
      <NativeSelect
        size="xs"
        aria-label={words.window}
        value={isEver ? 'ever' : 'within'}
        onChange={(event) => onChange(event.currentTarget.value === 'ever' ? rest : { ...rest, within: 'P7D' })}
        data={[
          { value: 'ever', label: words.ever },
          { value: 'within', label: words.within },
        ]}
      />
      {!isEver && (
        <DurationInput value={within} units="MHDW" onChange={(value) => onChange({ ...condition, within: value })} />
      )}
    </>
  );
}

/** Edits conditions on the fields of the fact. */
function Where({ path, condition, onChange, fields }: CountProps & { path: string; fields: readonly CatalogField[] }) {
  const { words } = useBuilding();
  if (condition.value !== undefined) return <GroupEditor path={`${path}/value`} fields={fields} />;
  const [first] = fields;
  if (first === undefined) return null;
  const where = () => onChange({ ...condition, value: { combinator: 'and', rules: [conditionOn(first)] } });
  return (
    <Group mt={4}>
      <Button size="compact-xs" variant="default" onClick={where}>
        {words.addWhere}
      </Button>
    </Group>
  );
}

CountEditor.Where = Where;
