import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../api/client.ts';
import {
  areSameValues,
  type FieldSpec,
  otherErrors,
  problemsOf,
  SettingsForm,
  useFocusOnError,
  type Values,
} from '../../settings-form/index.ts';
import { brandSettings } from '../../text/brand-settings.ts';
import { brands } from '../../text/brands.ts';
import { settingsForm } from '../../text/settings-form.ts';
import { useWords } from '../../text/text.tsx';
import { timeZone } from '../../ui/formats.ts';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Failed } from '../../ui/states.tsx';

/** The settings that must be right before the first event, and the names. All others have defaults that can be changed later. */
const fields: readonly FieldSpec[] = [
  { path: 'name', kind: 'text', required: true },
  { path: 'code', kind: 'text', required: true },
  { path: 'base_currency', kind: 'text', required: true },
  { path: 'time_zone', kind: 'zone', required: true },
  { path: 'zoneless_timestamps', kind: 'zone', required: true },
  { path: 'default_language', kind: 'text', required: true },
];

/** Creates a brand and opens its checklist. */
export function NewBrand() {
  const words = useWords(brands);
  const form = useWords(settingsForm);
  const settingWords = useWords(brandSettings);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [first] = useState<Values>(() => ({
    name: '',
    code: '',
    base_currency: 'EUR',
    time_zone: timeZone(),
    zoneless_timestamps: 'UTC',
    default_language: 'en',
  }));
  const [values, setValues] = useState(first);
  const create = useMutation({
    mutationFn: () => {
      const { name, code, ...settings } = values;
      const body = { name: String(name).trim(), code: String(code).trim(), settings };
      return bodyOf(api.POST('/api/console/v1/brands', { body }));
    },
    onSuccess: async ({ code, name }) => {
      await queries.invalidateQueries({ queryKey: ['brands'] });
      notifications.show({ message: words.created(name), color: 'green' });
      await navigate({ to: `/${code}/integration/checklist` as '/', ignoreBlocker: true });
    },
  });
  const errors = problemsOf(create.error, 'settings');
  const others = otherErrors(errors, fields);
  const container = useFocusOnError(create.error);
  return (
    <Card withBorder>
      <LeaveGuard isChanged={!areSameValues(values, first)} isSaving={create.isPending} />
      <Title order={3} size="h4" mb="xs">
        {words.make}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.makeAbout}
      </Text>
      <form
        ref={container}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack maw={760}>
          <SettingsForm
            fields={fields}
            words={{ ...settingWords.fields, code: [words.code, words.codeHint] }}
            values={values}
            errors={errors}
            readOnly={false}
            onChange={setValues}
          />
          {others.length > 0 && (
            <Alert color="yellow" role="alert" title={form.wrong}>
              {others.map(({ path, message }) => (
                <Text size="sm" key={path}>
                  {path}: {message}
                </Text>
              ))}
            </Alert>
          )}
          {create.error !== null && !(create.error instanceof ApiProblem && errors.length > 0) && (
            <Failed error={create.error} />
          )}
          <Group>
            <Button type="submit" loading={create.isPending}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
