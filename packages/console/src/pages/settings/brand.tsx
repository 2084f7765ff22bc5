import { Alert, Button, Card, Group, NavLink, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { changedValues, otherErrors, SettingsForm, useFocusOnError, type Values } from '../../settings-form/index.ts';
import { brandSettings } from '../../text/brand-settings.ts';
import { places } from '../../text/places.ts';
import { settingsForm } from '../../text/settings-form.ts';
import { useWords } from '../../text/text.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { type BrandShown, brandQuery } from '../messages/queries.ts';
import { type BrandSection, brandFields } from './brand-fields.ts';
import { useBrandChange } from './use-brand-change.ts';

/** The settings of a brand: names, time zones, ages, the site and its sockets. */
export function BrandSettings() {
  const brand = useBrand();
  const shown = useQuery(brandQuery(brand));
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  return <BrandForm key={brand} shown={shown.data} />;
}

/**
 * Converts the answer of the API, which contains the name beside the settings. In the form, the name is one of the
 * settings.
 */
const valuesOf = ({ name, settings }: BrandShown): Values => ({ name, ...settings });

function BrandForm({ shown }: { shown: BrandShown }) {
  const words = useWords(brandSettings);
  const form = useWords(settingsForm);
  const title = useWords(places).pages.brand;
  const may = useMay()('brand.manage');
  const [base, setBase] = useState(() => valuesOf(shown));
  const [values, setValues] = useState(base);
  const change = useBrandChange();
  const fields = useFocusOnError<HTMLDivElement>(change.error);
  const readOnly = !may || shown.declared;
  const changed = changedValues(base, values);
  const count = Object.keys(changed).length;
  const errors = change.error instanceof ApiProblem ? change.error.errors.map(placed) : [];
  const write = (part: Record<string, unknown>, onDone: (after: Values) => void) => {
    const { name, ...settings } = part;
    const body = {
      ...(name !== undefined && { name: String(name) }),
      ...(Object.keys(settings).length > 0 && { settings }),
    };
    change.mutate(body, { onSuccess: (after) => onDone(valuesOf(after)) });
  };
  const take = (after: Values) => {
    setBase(after);
    setValues(after);
  };
  const save = () => {
    const before = Object.fromEntries(Object.keys(changed).map((name) => [name, base[name]]));
    write(changed, (after) => {
      take(after);
      const id = 'brand saved';
      notifications.show({
        id,
        color: 'green',
        autoClose: 10_000,
        message: (
          <Group justify="space-between">
            {form.saved}
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                notifications.hide(id);
                write(before, take);
              }}
            >
              {form.undo}
            </Button>
          </Group>
        ),
      });
    });
  };
  const fixed = shown.has_players ? ['base_currency', 'time_zone'] : [];
  return (
    <Page title={title} about={words.about}>
      <LeaveGuard isChanged={count > 0 && !readOnly} isSaving={change.isPending} />
      {shown.declared && <Alert color="blue">{form.declared}</Alert>}
      {!shown.declared && !may && <Alert color="blue">{form.mayNot}</Alert>}
      <Group gap="xs">
        <Text size="sm">{words.elsewhere}</Text>
        <To to="compliance/contact-rules">{words.contactRules}</To>
        <To to="settings/push">{words.pushKeys}</To>
      </Group>
      {errors.length > 0 && (
        <Alert color="yellow" role="alert" title={form.wrong}>
          {otherErrors(errors, Object.values(brandFields).flat()).map(({ path, message }) => (
            <Text size="sm" key={path}>
              {path}: {message}
            </Text>
          ))}
        </Alert>
      )}
      {change.error !== null && errors.length === 0 && <Failed error={change.error} />}
      <div className="settings-page" ref={fields}>
        <nav className="settings-sections" aria-label={title}>
          {(Object.keys(brandFields) as BrandSection[]).map((section) => (
            <NavLink key={section} component="a" href={`#${section}`} label={words.sections[section]} py={4} />
          ))}
        </nav>
        <Stack>
          {(Object.keys(brandFields) as BrandSection[]).map((section) => (
            <Card withBorder key={section} id={section} style={{ scrollMarginTop: 72 }}>
              <Title order={3} size="h4" mb="md">
                {words.sections[section]}
              </Title>
              <SettingsForm
                fields={brandFields[section].map((field) => ({ ...field, fixed: fixed.includes(field.path) }))}
                words={words.fields}
                valueWords={words.values}
                values={values}
                errors={errors}
                readOnly={readOnly}
                onChange={setValues}
              />
            </Card>
          ))}
        </Stack>
      </div>
      {count > 0 && !readOnly && (
        <Card withBorder className="save-bar" shadow="md">
          <Group justify="space-between">
            <Text size="sm" role="status">
              {form.changed(count)}
            </Text>
            <Group>
              <Button variant="default" onClick={() => setValues(base)}>
                {form.discard}
              </Button>
              <Button loading={change.isPending} onClick={save}>
                {form.save}
              </Button>
            </Group>
          </Group>
        </Card>
      )}
    </Page>
  );
}

/** Converts the path of an error to the path of the setting in the form. */
function placed({ path, message }: { path: string; message: string }) {
  return { path: path.replace(/^settings\./, ''), message };
}
