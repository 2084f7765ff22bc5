import { Group, NativeSelect } from '@mantine/core';
import { useBuilding } from './builder-context.ts';
import { type CatalogField, namedField, offeredWindows, unlisted, withWindow } from './catalog.ts';
import { conditionOn, withOperator } from './conditions.ts';
import { CountEditor } from './count-editor.tsx';
import { FieldSelect } from './field-select.tsx';
import { NodeButtons } from './node-buttons.tsx';
import { Problems } from './problems.tsx';
import { type Condition, nodeAt, withNodeAt } from './tree.ts';
import { ValueInput } from './value-input.tsx';

/** Edits one condition. It has a field, its window, an operator and a value, or it is a count of facts. */
export function ConditionEditor({ path, fields }: { path: string; fields?: readonly CatalogField[] }) {
  const { rule, catalog, about, words, note, change } = useBuilding();
  const condition = nodeAt(rule, path) as Condition;
  const listed = fields ?? catalog;
  const named = namedField(listed, condition.field);
  const field = named.field ?? unlisted(condition.field);
  const isCount = condition.field.startsWith('did.') && fields === undefined;
  const set = (changed: Condition) => change(withNodeAt(rule, path, changed));
  const choose = (name: string) => {
    const chosen = namedField(listed, name).field ?? unlisted(name);
    // If the new field has the same kind of value, the condition keeps its operator.
    const keeps = chosen.kind === field.kind && chosen.kind !== 'fact' && condition.operator !== undefined;
    set(keeps ? { ...condition, field: name } : { ...conditionOn(chosen), field: name });
  };
  const windows = offeredWindows(named);
  const operator = condition.operator ?? '';
  const operators = field.operators.includes(operator) ? field.operators : [operator, ...field.operators];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser
    <div className="rule-condition" role="group" aria-label={words.condition} data-node={path}>
      <Group className="rule-row" gap="xs" justify="space-between" align="flex-start">
        <Group gap="xs" align="center">
          <FieldSelect
            fields={listed}
            hasMemberships={about === 'player' && fields === undefined}
            value={named.name}
            onChange={choose}
          />
          {windows.length > 0 && (
            <NativeSelect
              size="xs"
              // With these widths, the window is readable and a condition with a value fits into one line of a window of 1280 px.
              w={windowWidth(named.window)}
              aria-label={words.window}
              value={named.window}
              onChange={(event) => set({ ...condition, field: withWindow(named.name, event.currentTarget.value) })}
              data={['', ...windows].map((window) => ({ value: window, label: windowWords(window, words) }))}
            />
          )}
          {isCount ? (
            <CountEditor condition={condition} onChange={set} />
          ) : (
            <>
              <NativeSelect
                size="xs"
                aria-label={words.operator}
                value={operator}
                onChange={(event) => set(withOperator(condition, event.currentTarget.value, field.sample))}
                data={operators.map((value) => ({ value, label: words.operators[value] ?? value }))}
              />
              <ValueInput field={field} condition={condition} onChange={set} />
            </>
          )}
        </Group>
        <Group gap="xs" wrap="nowrap">
          {note(path)}
          <NodeButtons path={path} />
        </Group>
      </Group>
      <Problems
        at={[
          path,
          ...['field', 'operator', 'value', 'match', 'match/threshold', 'within'].map((key) => `${path}/${key}`),
        ]}
      />
      {isCount && <CountEditor.Where path={path} condition={condition} onChange={set} fields={field.fields ?? []} />}
    </div>
  );
}

/** A window that starts with `prev_` has a longer label, which needs more space. */
const windowWidth = (window: string) => (window.startsWith('prev_') ? 250 : 180);

function windowWords(window: string, words: ReturnType<typeof useBuilding>['words']): string {
  if (window === '') return words.ever;
  if (window === 'today') return words.today;
  const count = window.replaceAll(/\D/g, '');
  if (window.startsWith('prev_')) return words.before(count);
  return window.endsWith('h') ? words.inHours(count) : words.inDays(count);
}
