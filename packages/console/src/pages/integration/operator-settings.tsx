import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import {
  areSameValues,
  type FieldSpec,
  otherErrors,
  problemsOf,
  SettingsForm,
  useFocusOnError,
  type Values,
  valueAt,
} from '../../settings-form/index.ts';
import { operatorSettings } from '../../text/operator-settings.ts';
import { settingsForm } from '../../text/settings-form.ts';
import { useWords } from '../../text/text.tsx';
import { FormDialog, LeaveGuard } from '../../ui/leave-guard.tsx';
import { useMay } from '../../ui/may.tsx';
import { Failed } from '../../ui/states.tsx';
import type { BrandShown } from '../messages/queries.ts';
import { useBrandChange } from '../settings/use-brand-change.ts';

const by = (type: string) => ({ path: 'auth.type', is: type });

const fields: readonly FieldSpec[] = [
  { path: 'base_url', kind: 'text', required: true },
  { path: 'auth.type', kind: 'choice', values: ['api_key', 'basic', 'oauth2'], required: true },
  { path: 'auth.header', kind: 'text', when: by('api_key') },
  { path: 'auth.value', kind: 'secret', when: by('api_key') },
  { path: 'auth.username', kind: 'text', required: true, when: by('basic') },
  { path: 'auth.password', kind: 'secret', when: by('basic') },
  { path: 'auth.token_url', kind: 'text', required: true, when: by('oauth2') },
  { path: 'auth.client_id', kind: 'text', required: true, when: by('oauth2') },
  { path: 'auth.client_secret', kind: 'secret', when: by('oauth2') },
  { path: 'auth.scope', kind: 'text', when: by('oauth2') },
  { path: 'authenticate_path', kind: 'text' },
  { path: 'write_blocks', kind: 'switch' },
  { path: 'idempotent_bonus', kind: 'switch' },
  { path: 'bonus_500', kind: 'choice', values: ['unknown', 'not_applied'], required: true },
  { path: 'bonus_200_error', kind: 'choice', values: ['unknown', 'rejected'], required: true },
  { path: 'bonus_extra_fields', kind: 'json' },
  { path: 'connect_timeout_ms', kind: 'number', min: 50 },
  { path: 'call_timeout_ms', kind: 'number', min: 50 },
  { path: 'reconciliation_silence_ms', kind: 'number', min: 50 },
  { path: 'max_connections', kind: 'number', min: 1 },
  { path: 'resync_per_second', kind: 'number', min: 1 },
  { path: 'test_user.user_id', kind: 'text' },
  { path: 'test_user.sid', kind: 'secret' },
];

const first: Values = {
  auth: { type: 'api_key', header: 'X-API-Key' },
  bonus_500: 'unknown',
  bonus_200_error: 'unknown',
};

function valuesOf({ operator, test_user_id }: BrandShown): Values {
  const test_user = { user_id: test_user_id ?? '' };
  if (operator === null) return { ...first, test_user };
  const { auth, auth_settings, ...open } = operator;
  return { ...open, auth: { type: auth, ...auth_settings }, test_user };
}

/** A button that opens the settings of the operator. Credentials can be entered, but they are never shown. */
export function OperatorSettings({ settings }: { settings: BrandShown }) {
  const words = useWords(operatorSettings);
  const texts = useWords(settingsForm);
  const may = useMay()('brand.manage');
  const [isOpen, { open, close }] = useDisclosure();
  // The settings as they were when the dialog was opened.
  const [base, setBase] = useState<Values>(() => valuesOf(settings));
  const [values, setValues] = useState(base);
  const change = useBrandChange();
  const form = useFocusOnError(change.error);
  if (settings.declared)
    return (
      <Text size="sm" c="dimmed">
        {texts.declared}
      </Text>
    );
  if (!may) return null;
  const errors = problemsOf(change.error, 'operator');
  const save = () =>
    change.mutate(
      { operator: toSend(values), ...testUserToSend(values, settings.test_user_id) },
      {
        onSuccess: () => {
          notifications.show({ message: texts.saved, color: 'green' });
          close();
        },
      },
    );
  return (
    <>
      <Button
        variant={settings.operator === null ? 'filled' : 'default'}
        onClick={() => {
          change.reset();
          const shown = valuesOf(settings);
          setBase(shown);
          setValues(shown);
          open();
        }}
      >
        {settings.operator === null ? words.setUp : words.change}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={words.title} size="lg">
        <LeaveGuard isChanged={isOpen && !areSameValues(values, base)} isSaving={change.isPending} />
        <form
          ref={form}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Stack>
            {otherErrors(errors, fields).map(({ path, message }) => (
              <Alert key={path} color="yellow" role="alert">
                {path} {message}
              </Alert>
            ))}
            {change.error !== null && errors.length === 0 && <Failed error={change.error} />}
            <Card p={0}>
              <SettingsForm
                fields={fields}
                words={words.fields}
                valueWords={words.values}
                values={values}
                errors={errors}
                readOnly={false}
                hasSecrets={settings.operator !== null}
                onChange={setValues}
              />
            </Card>
            <Group justify="flex-end">
              <Button type="submit" loading={change.isPending}>
                {texts.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </FormDialog>
    </>
  );
}

/** Returns the credentials of the chosen scheme. Empty fields are left out. */
function toSend(values: Values): Record<string, unknown> {
  const type = valueAt(values, 'auth.type');
  const ofScheme = fields.filter(
    ({ path, when }) => path.startsWith('auth.') && (when === undefined || when.is === type),
  );
  const auth = Object.fromEntries(
    ofScheme.flatMap(({ path }) => {
      const value = valueAt(values, path);
      return value === undefined || value === '' ? [] : [[path.slice('auth.'.length), value]];
    }),
  );
  const { test_user: _, ...operator } = values;
  return { ...operator, auth };
}

/** Returns the change of the test user: undefined if it is unchanged, null to remove it. */
function testUserToSend(values: Values, before: string | null): { test_user?: Record<string, unknown> | null } {
  const user_id = valueAt(values, 'test_user.user_id');
  const sid = valueAt(values, 'test_user.sid');
  if (user_id === '' || user_id === undefined) return before === null ? {} : { test_user: null };
  return user_id === before && sid === undefined ? {} : { test_user: { user_id, ...(sid !== undefined && { sid }) } };
}
