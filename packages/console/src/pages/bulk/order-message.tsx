import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { api, bodyOf } from '../../api/client.ts';
import { bulk } from '../../text/bulk.ts';
import { messages } from '../../text/messages.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useWords } from '../../text/text.tsx';
import { FormDialog } from '../../ui/leave-guard.tsx';
import { useName } from '../../ui/named/use-names.ts';
import { Moment } from '../../ui/values.tsx';
import { contentOfMessage, empty as emptyMessage, hasText, type Typed } from '../player/message-body.ts';
import { MessageFields } from '../player/message-fields.tsx';
import { OrderForm } from './order-form.tsx';
import { bodyOfTerms, type Terms, usualTerms } from './terms.ts';
import { TermsFields } from './terms-fields.tsx';

interface OrderMessageProps {
  brand: string;
  segment: { code: string; name: string; members: number };
}

/** A dialog that sends a message to all members of a segment. */
export function OrderMessage({ brand, segment }: OrderMessageProps) {
  const { order: words } = useWords(bulk);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" disabled={segment.members === 0} onClick={open}>
        {words.message}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={`${words.message}: ${segment.name}`} size="lg">
        <MessageForm brand={brand} segment={segment} onClose={close} />
      </FormDialog>
    </>
  );
}

const empty: Typed & Terms = { ...emptyMessage, ...usualTerms };

function MessageForm({ brand, segment, onClose }: OrderMessageProps & { onClose(): void }) {
  const { order: words } = useWords(bulk);
  const { message: labels } = useWords(playerActions);
  const shared = useWords(messages);
  return (
    <OrderForm
      brand={brand}
      segment={segment}
      kind="message"
      about={words.about}
      empty={empty}
      fields={(typed, change) => (
        <>
          <MessageFields brand={brand} typed={typed} change={change} />
          <TermsFields terms={typed} change={change} />
        </>
      )}
      isComplete={(typed) => hasText(typed) && typed.pace !== ''}
      way={({ channel, purpose }) => ({ channel, purpose })}
      rows={({ channel, purpose, template, values, title, text, expires }) => [
        [labels.channel, `${shared.channels[channel]}, ${shared.purposes[purpose]}`],
        ...(template === null
          ? [[channel === 'webhook' ? labels.url : labels.title, title] as const, [labels.text, text] as const].filter(
              ([, value]) => value.trim() !== '',
            )
          : [
              [labels.template, <TemplateName key="template" code={template} />] as const,
              ...(values ?? [])
                .filter(({ typed }) => typed.trim() !== '')
                .map(({ name, typed }) => [name, typed] as const),
            ]),
        ...(expires === ''
          ? []
          : ([[labels.expires, <Moment key="expires" at={new Date(expires).toISOString()} />]] as const)),
      ]}
      pace={({ pace }) => Number(pace)}
      send={(typed, key) =>
        bodyOf(
          api.POST('/api/console/v1/brands/{brand}/segments/{code}/messages', {
            params: { path: { brand, code: segment.code } },
            headers: { 'Idempotency-Key': key },
            body: {
              channel: typed.channel,
              purpose: typed.purpose,
              ...contentOfMessage(typed),
              ...bodyOfTerms(typed),
            },
          }),
        )
      }
      onClose={onClose}
    />
  );
}

function TemplateName({ code }: { code: string }) {
  return <>{useName({ template: code })}</>;
}
