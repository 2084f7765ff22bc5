import { Button, Card, Group, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { erasedRecords } from '../../text/erased-data.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { ErasureReceipt } from './erasure-receipt.tsx';

const refreshMs = 2_000;

/** Export and erasure of one player, and the receipts of erasures. */
export function Privacy() {
  const brand = useBrand();
  const { privacy: words } = useWords(compliance);
  const title = useWords(places).pages.privacy;
  const { common } = useText();
  const may = useMay();
  const number = useNumber();
  const touches = [brand, 'erasures'];
  const cancel = useAct(
    (erasure_id: number) =>
      api.POST('/api/console/v1/brands/{brand}/erasures/{erasure_id}/cancel', {
        params: { path: { brand, erasure_id } },
        body: {},
      }),
    { touches },
  );
  return (
    <Page title={title} about={words.about}>
      {may('player.export') && <Export brand={brand} />}
      {may('player.erase') && <Erase brand={brand} touches={touches} />}
      <Title order={3} size="h4">
        {words.list}
      </Title>
      <List
        name={touches}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/erasures', {
              params: { path: { brand }, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ erasure_id }) => erasure_id}
        empty={may('player.erase') ? words.noneYet : words.none}
        detail={(erasure) => <ErasureReceipt erasure={erasure} />}
        columns={[
          { title: words.player, show: ({ user_id: id, player_id }) => id ?? `# ${player_id}` },
          { title: words.digest, show: ({ user_key }) => <code>{user_key.slice(0, 16)}</code> },
          { title: words.step, show: ({ step }) => <State of={step} /> },
          { title: words.held, show: ({ held_because }) => held_because ?? common.none },
          { title: words.requested, show: ({ requested_at }) => <Moment at={requested_at} /> },
          { title: words.finished, show: ({ finished_at }) => <Moment at={finished_at} /> },
          {
            title: words.removed,
            align: 'right',
            show: ({ counts }) => number(erasedRecords(counts)),
          },
          {
            title: common.actions,
            show: ({ erasure_id, step }) =>
              step === 'waiting' && may('player.erase') ? (
                <Sure size="xs" label={words.cancel} text={words.cancelSure} onSure={() => cancel.mutate(erasure_id)} />
              ) : (
                common.none
              ),
          },
        ]}
      />
    </Page>
  );
}

function Export({ brand }: { brand: string }) {
  const { privacy: words } = useWords(compliance);
  const may = useMay();
  const [userId, setUserId] = useState('');
  const user_id = userId.trim();
  const download =
    user_id === ''
      ? { component: 'button' as const, disabled: true }
      : {
          component: 'a' as const,
          href: `/api/console/v1/brands/${brand}/players/${encodeURIComponent(user_id)}/export`,
          download: `${user_id}.json`,
        };
  return (
    <Card withBorder component="section" aria-label={words.exportTitle}>
      <Title order={3} size="h4">
        {words.exportTitle}
      </Title>
      <Text size="sm" mb="sm">
        {words.exportAbout}
      </Text>
      <Group align="flex-end">
        <IdField label={words.player} value={userId} onChange={setUserId} />
        <Button {...download}>{words.export}</Button>
        {may('audit.read') && (
          <To to="settings/audit" search={{ action: 'player.exported' }}>
            {words.exports}
          </To>
        )}
      </Group>
    </Card>
  );
}

/**
 * Erases a player. It has its own field for the player, so that a player who was entered for the export is not erased
 * by mistake.
 */
function Erase({ brand, touches }: { brand: string; touches: readonly unknown[] }) {
  const { privacy: words } = useWords(compliance);
  const [userId, setUserId] = useState('');
  const [confirm, setConfirm] = useState('');
  const user_id = userId.trim();
  const clear = () => {
    setUserId('');
    setConfirm('');
  };
  const erase = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/players/{user_id}/erasure', {
        params: { path: { brand, user_id } },
        body: { confirm },
      }),
    { touches, done: words.asked, onDone: clear },
  );
  return (
    <Card withBorder component="section" aria-label={words.eraseTitle} className="dangerous">
      <Group gap="xs">
        <IconAlertTriangle size={18} aria-hidden />
        <Title order={3} size="h4">
          {words.eraseTitle}
        </Title>
      </Group>
      <Text size="sm" mb="sm">
        {words.eraseAbout}
      </Text>
      <Group align="flex-end">
        <IdField label={words.player} value={userId} onChange={setUserId} />
        <IdField label={words.confirm} value={confirm} onChange={setConfirm} />
        <Sure
          label={words.erase}
          text={words.eraseSure(user_id)}
          color="red"
          variant="filled"
          disabled={user_id === '' || confirm !== user_id}
          onSure={() => erase.mutate()}
        />
      </Group>
    </Card>
  );
}

/** A field for the user_id of a player. */
function IdField({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  return (
    <TextInput label={label} value={value} w={320} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  );
}
