import { Button, Card, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { places } from '../../text/places.ts';
import { suppressions } from '../../text/suppressions.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, showFailure } from '../../ui/act.tsx';
import { Fields } from '../../ui/fields.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { useUndo } from '../../ui/undo.tsx';
import { Moment, Named } from '../../ui/values.tsx';

type Kind = 'email' | 'sms';
const kinds: readonly Kind[] = ['email', 'sms'];

interface Entry {
  suppressed: boolean;
  reason: string | null;
  detail: string | null;
  added_at: string | null;
  added_by: string | null;
}

/**
 * What one call is about. The user can change the form while a call is pending, so the call, its answer and Undo use only the values
 * with which it began.
 */
interface Order {
  kind: Kind;
  value: string;
  /** The reason, or an empty text. */
  note: string;
}

/** What one call did, or found. It is in no cache and in no address, because it contains personal data. */
interface Result {
  value: string;
  entry?: Entry;
  /** A notice, if nothing is known about the entry. */
  notice?: string;
}

/**
 * Addresses and numbers that get no message, for any player. Support may change entries, but may not look them up,
 * because a look-up shows whether an address is known.
 */
export function Suppressions() {
  const brand = useBrand();
  const words = useWords(suppressions);
  const title = useWords(places).pages.suppressions;
  const may = useMay();
  const offerUndo = useUndo();
  const [kind, setKind] = useState<Kind>('email');
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [result, setResult] = useState<Result>();
  // People often write numbers with spaces.
  const value = kind === 'sms' ? typed.replaceAll(/[\s()/-]/g, '') : typed.trim();
  const order: Order = { kind, value, note: note.trim() };
  const options = { gcTime: 0, onError: showFailure };
  const clearNote = (sent: Order) => setNote((now) => (now.trim() === sent.note ? '' : now));
  const find = useMutation({
    ...options,
    mutationFn: (sent: Order) => callsOf(brand, sent).find(),
    onSuccess: (entry, sent) => setResult({ value: sent.value, entry }),
  });
  const add = useMutation({
    ...options,
    mutationFn: (sent: Order) => callsOf(brand, sent).add(),
    onSuccess: (entry, sent) => {
      setResult({ value: sent.value, entry });
      clearNote(sent);
      offerUndo(words.added(sent.value), async () => {
        await callsOf(brand, { ...sent, note: '' }).remove();
        setResult({ value: sent.value, notice: words.removed(sent.value) });
      });
    },
  });
  const remove = useMutation({
    ...options,
    mutationFn: (sent: Order) => callsOf(brand, sent).remove(),
    onSuccess: ({ removed }, sent) => {
      clearNote(sent);
      setResult({ value: sent.value, notice: (removed ? words.removed : words.wasNot)(sent.value) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (may('personal.read')) find.mutate(order);
  };
  const change = (next: Partial<{ kind: Kind; typed: string }>) => {
    setResult(undefined);
    if (next.kind !== undefined) setKind(next.kind);
    setTyped(next.typed ?? '');
  };
  const isKnown = result?.value === value ? result.entry?.suppressed : undefined;
  const mayChange = may('player.protect');
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        may('audit.read') && (
          <To to="settings/audit" search={{ action: `${kind}.suppressed` }}>
            {words.changes}
          </To>
        )
      }
    >
      <form onSubmit={submit}>
        <Stack align="flex-start">
          <SegmentedControl
            aria-label={words.kind}
            data={kinds.map((one) => ({ value: one, label: words.kinds[one] }))}
            value={kind}
            onChange={(next) => change({ kind: next as Kind })}
          />
          <Group align="flex-end">
            <TextInput
              label={words.value[kind]}
              placeholder={words.example[kind]}
              type={kind === 'email' ? 'email' : 'tel'}
              autoComplete="off"
              w={320}
              maw="100%"
              value={typed}
              onChange={({ currentTarget }) => change({ typed: currentTarget.value })}
            />
            {may('personal.read') && (
              <Button type="submit" variant="default" disabled={value === ''} loading={find.isPending}>
                {words.find}
              </Button>
            )}
          </Group>
          {mayChange && (
            // Without its own limit, the group would be as wide as the field wants to be, also on a phone.
            <Group align="flex-end" maw="100%">
              <TextInput
                label={words.note}
                description={words.noteHint}
                maxLength={300}
                w={480}
                maw="100%"
                value={note}
                onChange={({ currentTarget }) => setNote(currentTarget.value)}
              />
              <Button
                disabled={value === '' || note.trim() === '' || isKnown === true}
                loading={add.isPending}
                onClick={() => add.mutate(order)}
              >
                {words.add}
              </Button>
              <Sure
                label={words.remove}
                text={words.removeSure(value)}
                disabled={value === '' || note.trim() === '' || isKnown === false}
                loading={remove.isPending}
                onSure={() => remove.mutate(order)}
              />
            </Group>
          )}
        </Stack>
      </form>
      <section aria-label={words.result} aria-live="polite">
        <Shown result={result} />
      </section>
    </Page>
  );
}

function Shown({ result }: { result: Result | undefined }) {
  const words = useWords(suppressions);
  const { common } = useText();
  if (result === undefined) return <Empty>{words.begin}</Empty>;
  const { value, entry, notice } = result;
  if (entry === undefined) return <Text>{notice}</Text>;
  const { suppressed, reason, detail, added_at, added_by } = entry;
  return (
    <Card withBorder>
      <Title order={3} size="h5" mb="xs">
        {suppressed ? words.is(value) : words.isNot(value)}
      </Title>
      {suppressed ? (
        <Fields
          of={[
            [words.since, <Moment key="since" at={added_at} />],
            [common.reason, <Named key="reason" of={reason} />],
            [words.by, added_by ?? words.automatic],
            [words.detail, detail ?? common.none],
          ]}
        />
      ) : (
        <Text size="sm">{words.isNotHint}</Text>
      )}
    </Card>
  );
}

/** The calls about one address or number. */
function callsOf(brand: string, { kind, value, note }: Order) {
  const params = { path: { brand } };
  const noted = note === '' ? {} : { note };
  if (kind === 'email') {
    const body = { address: value };
    return {
      find: () => bodyOf(api.POST('/api/console/v1/brands/{brand}/email-suppressions/find', { params, body })),
      add: () =>
        bodyOf(api.POST('/api/console/v1/brands/{brand}/email-suppressions', { params, body: { ...body, ...noted } })),
      remove: () =>
        bodyOf(
          api.POST('/api/console/v1/brands/{brand}/email-suppressions/remove', {
            params,
            body: { ...body, ...noted },
          }),
        ),
    };
  }
  const body = { number: value };
  return {
    find: () => bodyOf(api.POST('/api/console/v1/brands/{brand}/sms-suppressions/find', { params, body })),
    add: () =>
      bodyOf(api.POST('/api/console/v1/brands/{brand}/sms-suppressions', { params, body: { ...body, ...noted } })),
    remove: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/sms-suppressions/remove', { params, body: { ...body, ...noted } }),
      ),
  };
}
