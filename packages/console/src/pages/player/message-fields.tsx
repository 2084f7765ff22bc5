import { Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { namedQuery } from '../../api/named.ts';
import { messages } from '../../text/messages.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useWords } from '../../text/text.tsx';
import { NamedSelect } from '../../ui/named/named-select.tsx';
import { type Channel, channels, events, purposes, type Typed } from './message-body.ts';
import { ValueFields } from './value-fields.tsx';

interface MessageFieldsProps {
  brand: string;
  typed: Typed;
  change(to: Partial<Typed>): void;
}

/** The fields of a message to one player or to many: its channel, purpose, template or own text, and expiry. */
export function MessageFields({ brand, typed, change }: MessageFieldsProps) {
  const { message: words } = useWords(playerActions);
  const shared = useWords(messages);
  const { channel, purpose, template, language, values } = typed;
  const chosen = useQuery({ ...namedQuery(brand, { template: template ?? '' }), enabled: template !== null });
  return (
    <>
      <Select
        label={words.channel}
        data={channels.map((value) => ({ value, label: shared.channels[value] }))}
        value={channel}
        allowDeselect={false}
        onChange={(value) => change({ channel: value as Channel, template: null, language: null, values: null })}
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
        onChange={(value) => change({ template: value, language: null, values: null })}
      />
      {template !== null ? (
        <>
          <Select
            label={words.language}
            placeholder={words.own}
            clearable
            data={chosen.data?.languages ?? []}
            value={language}
            onChange={(value) => change({ language: value })}
          />
          <ValueFields brand={brand} template={template} values={values} onChange={(to) => change({ values: to })} />
        </>
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
    </>
  );
}

/** The text of a message without a template. */
function OwnText({ typed, change }: { typed: Typed; change(to: Partial<Typed>): void }) {
  const { message: words } = useWords(playerActions);
  const { channel, event, title, text, list } = typed;
  const isOnSite = channel === 'site' || channel === 'push';
  const isWebhook = channel === 'webhook';
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
            label={channel === 'email' ? words.subject : isWebhook ? words.url : words.title}
            {...(isWebhook && { required: true })}
            value={title}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        )
      )}
      {!isWebhook && (
        <Textarea
          label={isList ? words.note : words.text}
          required={!isList}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      )}
    </>
  );
}
