import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { NewKey } from './new-key.tsx';

/** The API keys with which the operator publishes events. */
export function Keys() {
  const brand = useBrand();
  const { keys: words } = useWords(integration);
  const title = useWords(places).pages.keys;
  const { common } = useText();
  const may = useMay();
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ api_key_id: number; key: string }>();
  const touches = [brand, 'keys'];
  const create = useAct(
    () => bodyOf(api.POST('/api/console/v1/brands/{brand}/keys', { params: { path: { brand } }, body: { name } })),
    {
      touches,
      onDone: (created) => {
        setMade(created);
        setName('');
      },
    },
  );
  const revoke = useAct(
    (api_key_id: number) =>
      api.DELETE('/api/console/v1/brands/{brand}/keys/{api_key_id}', { params: { path: { brand, api_key_id } } }),
    { touches, done: words.revoked },
  );
  return (
    <Page title={title} about={words.about}>
      {may('key.manage') && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <Group align="flex-end">
            <TextInput
              label={words.name}
              value={name}
              required
              w={320}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
              {words.create}
            </Button>
          </Group>
        </form>
      )}
      {made !== undefined && <NewKey brand={brand} made={made} onClose={() => setMade(undefined)} />}
      <List
        name={touches}
        read={() => bodyOf(api.GET('/api/console/v1/brands/{brand}/keys', { params: { path: { brand } } }))}
        keyOf={({ api_key_id }) => api_key_id}
        empty={words.none}
        columns={[
          { title: common.name, show: (key) => key.name },
          {
            title: common.state,
            show: ({ revoked_at }) =>
              revoked_at === null ? (
                <State of="in_force" label={words.inForce} />
              ) : (
                <State of="revoked" label={words.revoked} />
              ),
          },
          { title: words.created, show: ({ created_at }) => <Moment at={created_at} /> },
          { title: words.revoked, show: ({ revoked_at }) => <Moment at={revoked_at} /> },
          {
            title: common.actions,
            show: ({ api_key_id, declared, revoked_at }) => {
              if (declared) return words.declared;
              if (revoked_at !== null || !may('key.manage')) return common.none;
              return (
                <Sure
                  size="xs"
                  color="red"
                  label={words.revoke}
                  text={words.revokeSure}
                  onSure={() => revoke.mutate(api_key_id)}
                />
              );
            },
          },
        ]}
      />
    </Page>
  );
}
