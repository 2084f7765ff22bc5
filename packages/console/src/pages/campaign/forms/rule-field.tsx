import { Alert, Button, Card, Group, Input, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { type CatalogField, isDrawable, RuleBuilder } from '../../../rule-builder/index.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { useRuleFields } from '../draft/catalogs.ts';
import { errorsIn, sentenceAt, useEditing, useField } from '../draft/editing.ts';
import { emptyRule, type Place } from '../draft/edits.ts';

interface RuleFieldProps {
  place: Place;
  label: string;
  description?: string;
  /** Text that explains what a missing rule means. */
  none: string;
  /** Label of the button that adds a rule. */
  add: string;
  /** The fields for conditions on an event. By default, these are the fields of the player. */
  fields?: readonly CatalogField[];
  /** Whether to count the matching players. */
  counts?: boolean;
  /** If true, the rule cannot be removed. */
  isRequired?: boolean;
}

/** A rule of the document, edited in the rule builder, with its sentence. */
export function RuleField({ place, label, description, none, add, fields, counts, isRequired }: RuleFieldProps) {
  const words = useWords(campaignEditor);
  const { checked, mayEdit } = useEditing();
  const { value, set, error } = useField(place);
  const player = useRuleFields();
  const catalog = fields ?? player;
  const sentence = sentenceAt(checked, place);
  if (value === undefined)
    return (
      <Input.Wrapper label={label} labelElement="div" error={error}>
        <Group gap="sm" mt={4}>
          <Text size="sm" c="dimmed">
            {none}
          </Text>
          {mayEdit && (
            <Button size="compact-sm" variant="default" disabled={catalog.length === 0} onClick={() => set(emptyRule)}>
              {add}
            </Button>
          )}
        </Group>
      </Input.Wrapper>
    );
  if (!isDrawable(value))
    return (
      <Alert color="yellow" title={label}>
        <Text size="sm">{words.undrawable}</Text>
        <Button mt="xs" size="compact-sm" variant="default" onClick={() => set(emptyRule)}>
          {words.emptyRule}
        </Button>
      </Alert>
    );
  return (
    <Input.Wrapper label={label} description={description} labelElement="div">
      <Card withBorder padding="sm" mt={4}>
        <Stack gap="xs">
          {sentence !== undefined && (
            <Text size="sm" fw={500}>
              {sentence}
            </Text>
          )}
          {counts && sentence !== undefined && <Count rule={value} />}
          <fieldset className="plain" disabled={!mayEdit}>
            <RuleBuilder
              rule={value}
              onChange={set}
              catalog={catalog}
              errors={errorsIn(checked, place)}
              about={fields ? 'fact' : 'player'}
              label={label}
            />
          </fieldset>
          {mayEdit && !isRequired && (
            <Group>
              <Button size="compact-sm" variant="default" onClick={() => set(undefined)}>
                {words.removeRule}
              </Button>
            </Group>
          )}
        </Stack>
      </Card>
    </Input.Wrapper>
  );
}

/** Milliseconds between the last change and the count of players. */
const restMs = 600;

function Count({ rule }: { rule: unknown }) {
  const words = useWords(campaignEditor);
  const number = useNumber();
  const { brand } = useEditing();
  const [rested] = useDebouncedValue(rule, restMs);
  const preview = useQuery({
    queryKey: [brand, 'rule', 'preview', JSON.stringify(rested)],
    queryFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/rules/preview', {
          params: { path: { brand } },
          body: { rule: rested },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  if (preview.data === undefined) return null;
  const { count, exact, protected: left } = preview.data;
  return (
    <Text size="sm" c="dimmed" className="figure" aria-live="polite">
      {words.meetNow(count, `${exact ? '' : '≈ '}${number(count)}`)}
      {left > 0 && `; ${words.left(number(left))}`}
    </Text>
  );
}
