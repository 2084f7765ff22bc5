import { Alert, Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { messages } from '../../text/messages.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { NamedSelect } from '../../ui/named/named-select.tsx';
import { Named, State } from '../../ui/values.tsx';
import { bodyOfMessage, type Channel, channels, empty, events, purposes, type Typed } from './message-body.ts';
import type { OfPlayer } from './of-player.ts';

/** A dialog that sends a message to one player, from a template or with its own text. */
export function SendMessage({ brand, userId: user_id }: OfPlayer) {
  const { message: words } = useWords(playerActions);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button aria-haspopup="dialog" onClick={open}>
        {words.open}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.open} size="lg">
        <SendForm brand={brand} userId={user_id} onClose={close} />
      </Modal>
    </>
  );
}

function SendForm({ brand, userId: user_id, onClose }: OfPlayer & { onClose(): void }) {
  const { message: words } = useWords(playerActions);
  const { common } = useText();
  const shared = useWords(messages);
  const queries = useQueryClient();
  const [typed, setTyped] = useState(empty);
  /** The languages of the chosen template. */
  const [languages, setLanguages] = useState<string[]>([]);
  // A second press of the button, or a retry after a lost answer, must not send the message twice.
  const [key, setKey] = useState(newRequestKey);
  const change = (to: Partial<Typed>) => {
    send.reset();
    setKey(newRequestKey());
    setTyped((before) => ({ ...before, ...to }));
  };
  const send = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/players/{user_id}/messages', {
          params: { path: { brand, user_id } },
          headers: { 'Idempotency-Key': key },
          body: bodyOfMessage(typed) as never,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'player', user_id] }),
  });
  const { channel, purpose, template, language } = typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  if (send.isSuccess) {
    const { state, reason } = send.data;
    return (
      <Stack role="status">
        <Fields
          of={[
            [words.result, <State key="state" of={state} />],
            [words.why, <Named key="reason" of={reason} />],
          ]}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => change({})}>
            {words.again}
          </Button>
          <Button onClick={onClose}>{common.close}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{words.about}</Text>
        <Select
          label={words.channel}
          data={channels.map((value) => ({ value, label: shared.channels[value] }))}
          value={channel}
          allowDeselect={false}
          onChange={(value) => change({ channel: value as Channel, template: null, language: null })}
        />
        <Select
          label={words.purpose}
          description={shared.purposeHint[purpose]}
          data={purposes.map((value) => ({ value, label: shared.purposes[value] }))}
          value={purpose}
          allowDeselect={false}
          onChange={(value) => change({ purpose: value as Typed['purpose'] })}
        />
        <NamedSelect
          list="templates"
          sentOn={channel}
          label={words.template}
          placeholder={words.noTemplate}
          nothing={words.noTemplates}
          clearable
          value={template}
          onChange={(value, item) => {
            change({ template: value, language: null });
            setLanguages(item?.languages ?? []);
          }}
        />
        {template !== null ? (
          <Select
            label={words.language}
            placeholder={words.own}
            clearable
            data={languages}
            value={language}
            onChange={(value) => change({ language: value })}
          />
        ) : (
          <OwnText typed={typed} change={change} />
        )}
        <TextInput
          type="datetime-local"
          label={words.expires}
          description={words.expiresHint}
          value={typed.expires}
          onChange={({ currentTarget }) => change({ expires: currentTarget.value })}
        />
        {send.isError && (
          <Alert color="red" role="alert">
            {send.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={send.isPending}>
            {words.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The text of a message without a template. */
function OwnText({ typed, change }: { typed: Typed; change(to: Partial<Typed>): void }) {
  const { message: words } = useWords(playerActions);
  const { channel, event, title, text, list } = typed;
  const isOnSite = channel === 'site' || channel === 'push';
  const isList = channel === 'telephone' || channel === 'post_mail';
  return (
    <>
      {isOnSite && (
        <Select
          label={words.event}
          data={events.map((value) => ({ value, label: words.events[value] }))}
          value={event}
          allowDeselect={false}
          onChange={(value) => change({ event: value as Typed['event'] })}
        />
      )}
      {isList ? (
        <TextInput
          label={words.list}
          description={words.listHint}
          value={list}
          onChange={({ currentTarget }) => change({ list: currentTarget.value })}
        />
      ) : (
        channel !== 'sms' && (
          <TextInput
            label={channel === 'email' ? words.subject : words.title}
            value={title}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        )
      )}
      <Textarea
        label={isList ? words.note : words.text}
        required={!isList}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
    </>
  );
}
