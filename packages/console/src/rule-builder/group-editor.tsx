import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type DragEvent, Fragment } from 'react';
import { useBuilding } from './builder-context.ts';
import type { CatalogField } from './catalog.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { conditionOn } from './conditions.ts';
import { NodeButtons } from './node-buttons.tsx';
import { Problems } from './problems.tsx';
import { type Branch, isBranch, moved, nodeAt, withNodeAt, withNodeIn } from './tree.ts';

/** The four kinds of groups. Their words make the builder read like a sentence. */
const ways = {
  and: { combinator: 'and', not: false },
  or: { combinator: 'or', not: false },
  notAnd: { combinator: 'and', not: true },
  notOr: { combinator: 'or', not: true },
} as const;
type Way = keyof typeof ways;

const wayOf = ({ combinator, not }: Branch): Way => (not ? (combinator === 'and' ? 'notAnd' : 'notOr') : combinator);

/** @param fields the fields of a fact, for conditions on it; default: the fields of the player */
export function GroupEditor({ path, fields }: { path: string; fields?: readonly CatalogField[] }) {
  const { rule, catalog, about, words, change, follow, dragged } = useBuilding();
  const group = nodeAt(rule, path) as Branch;
  const isOfFact = path.endsWith('/value');
  const root = about === 'fact' ? words.event : words.players;
  const intro = path === '' ? root : isOfFact ? words.facts : words.nested;
  const setWay = (way: Way) => {
    const { combinator, not } = ways[way];
    const { not: _, ...rest } = group;
    change(withNodeAt(rule, path, { ...rest, combinator, ...(not && { not }) }));
  };
  const add = (node: Parameters<typeof withNodeIn>[2]) =>
    follow({ rule: withNodeIn(rule, path, node), path: `${path}/rules/${group.rules.length}` });
  const first = (fields ?? catalog)[0];
  const condition = () => (first ? conditionOn(first) : { field: '', operator: '=' });
  const drop = (index: number) => (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (dragged.current !== undefined) follow(moved(rule, dragged.current, path, index));
    dragged.current = undefined;
  };
  const over = (event: DragEvent) => event.preventDefault();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser
    <div className="rule-group" role="group" aria-label={words.group} data-node={path}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text size="sm">{intro}</Text>
          <NativeSelect
            size="xs"
            aria-label={words.how}
            value={wayOf(group)}
            onChange={(event) => setWay(event.currentTarget.value as Way)}
            data={Object.entries(words.ways).map(([value, label]) => ({ value, label }))}
          />
        </Group>
        {path !== '' && <NodeButtons path={path} />}
      </Group>
      <Problems at={[path, `${path}/combinator`, `${path}/not`, `${path}/rules`]} />
      <Stack gap="xs" mt="xs">
        {group.rules.length === 0 && (
          <Text size="sm" c="dimmed">
            {about === 'fact' || fields ? words.everyFact : words.everyone}
          </Text>
        )}
        {group.rules.map((node, index) => {
          const child = `${path}/rules/${index}`;
          return (
            // The path identifies a node, so it is the key.
            <Fragment key={child}>
              {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; buttons move by keyboard */}
              <div onDragOver={over} onDrop={drop(index)}>
                {isBranch(node) ? (
                  <GroupEditor path={child} {...(fields && { fields })} />
                ) : (
                  <ConditionEditor path={child} {...(fields && { fields })} />
                )}
              </div>
            </Fragment>
          );
        })}
      </Stack>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; buttons move by keyboard */}
      <div onDragOver={over} onDrop={drop(group.rules.length)}>
        <Group gap="xs" mt="xs">
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => add(condition())}>
            {words.addCondition}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => add({ combinator: group.combinator === 'and' ? 'or' : 'and', rules: [condition()] })}
          >
            {words.addGroup}
          </Button>
        </Group>
      </div>
    </div>
  );
}
