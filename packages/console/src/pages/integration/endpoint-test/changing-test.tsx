import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../../api/client.ts';
import { newRequestKey } from '../../../api/request-key.ts';
import { type Order, sendOrder, unansweredOrder } from '../../../api/unanswered-orders.ts';
import { endpointTests } from '../../../text/endpoint-tests.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Failed } from '../../../ui/states.tsx';
import { BonusOutcome, type SentChange, WriteOutcome } from './change-outcome.tsx';
import type { ChangingEndpoint } from './endpoints.ts';
import { ShownRequest } from './shown-call.tsx';

const consentTypes = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'] as const;
const blockTypes = ['Blocked', 'Excluded'] as const;

interface Typed {
  type: (typeof consentTypes)[number] | (typeof blockTypes)[number];
  value: boolean;
  bonus_code: string;
  amount: string;
  currency: string;
}

interface ChangingTestProps {
  brand: string;
  endpoint: ChangingEndpoint;
  /** The test user of the brand. No other player can be chosen. */
  userId: string;
}

/**
 * Tests an endpoint that changes the player or credits something: shows the exact request, asks for the id of the player, and then
 * makes an ordinary change, whose call and outcome it follows.
 */
export function ChangingTest({ brand, endpoint, userId }: ChangingTestProps) {
  const words = useWords(endpointTests);
  const nameOf = useCode();
  const place = `test ${brand} ${endpoint} ${userId}`;
  const isBlock = endpoint === 'userblocks_write';
  const isWrite = isBlock || endpoint === 'userconsents_write';
  const isFunds = endpoint === 'bonus_credit_funds';
  const types = isBlock ? blockTypes : consentTypes;
  // A second press of the button, or a retry after a lost answer, must not credit twice.
  const [order, setOrder] = useState<Order<Typed>>(
    () =>
      unansweredOrder(place) ?? {
        typed: { type: types[0], value: isBlock, bonus_code: '', amount: '', currency: '' },
        key: newRequestKey(),
      },
  );
  const [confirmed, setConfirmed] = useState('');
  const { typed } = order;
  const { type, value, bonus_code, amount, currency } = typed;
  const change = (to: Partial<Typed>) => {
    send.reset();
    setConfirmed('');
    setOrder({ typed: { ...typed, ...to }, key: newRequestKey() });
  };
  const isComplete =
    isWrite ||
    (bonus_code.trim() !== '' &&
      (!isFunds || (/^\d+(\.\d+)?$/.test(amount.trim()) && /^[A-Za-z0-9]{3,10}$/.test(currency.trim()))));
  const body = {
    endpoint,
    ...(isWrite && { type, value }),
    ...(isBlock && { note: words.note }),
    ...(!isWrite && { bonus_code: bonus_code.trim() }),
    ...(isFunds && { amount: amount.trim(), currency: currency.trim() }),
  };
  const path = { brand, user_id: userId };
  const preview = useQuery({
    queryKey: [brand, 'operator-call', body],
    enabled: isComplete,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: () =>
      bodyOf(api.POST('/api/console/v1/brands/{brand}/operator-tests/preview', { params: { path: { brand } }, body })),
  });
  const send = useMutation({
    mutationFn: () => sendOrder(place, order, sendChange),
  });
  async function sendChange(): Promise<SentChange> {
    if (isWrite) {
      const params = { path };
      const { change_id } = isBlock
        ? await bodyOf(
            api.POST('/api/console/v1/brands/{brand}/players/{user_id}/blocks', {
              params,
              body: { type: type as (typeof blockTypes)[number], active: value, note: words.note },
            }),
          )
        : await bodyOf(
            api.POST('/api/console/v1/brands/{brand}/players/{user_id}/consents', {
              params,
              body: {
                changes: [{ type: type as (typeof consentTypes)[number], opted_in: value }],
                note: words.note,
              },
            }),
          );
      return { change_id };
    }
    return bodyOf(
      api.POST('/api/console/v1/brands/{brand}/players/{user_id}/bonus-credits', {
        params: { path },
        headers: { 'Idempotency-Key': order.key },
        body: {
          bonus_code: bonus_code.trim(),
          offer: false,
          note: words.note,
          ...(isFunds && { amount: amount.trim(), currency: currency.trim() }),
        },
      }),
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  const isUnanswered = !send.isPending && unansweredOrder(place)?.key === order.key;
  const isKnown = isComplete && preview.isSuccess && !preview.isPlaceholderData;
  if (send.isSuccess)
    return (
      <Stack>
        {preview.data !== undefined && <ShownRequest request={preview.data.request} />}
        {'intent_id' in send.data ? (
          <BonusOutcome brand={brand} intentId={send.data.intent_id} />
        ) : (
          <WriteOutcome brand={brand} userId={userId} changeId={send.data.change_id} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => change({})}>
            {words.again}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Alert color="yellow">{words.changes(userId)}</Alert>
        {isWrite && (
          <Group grow align="flex-start">
            <Select
              label={isBlock ? words.block : words.consent}
              data={types.map((one) => ({ value: one, label: nameOf(one) }))}
              value={type}
              allowDeselect={false}
              disabled={isUnanswered}
              onChange={(chosen) => change({ type: types.find((one) => one === chosen) ?? type })}
            />
            <Select
              label={words.to}
              data={[
                { value: 'yes', label: isBlock ? words.set : words.given },
                { value: 'no', label: isBlock ? words.lifted : words.withdrawn },
              ]}
              value={value ? 'yes' : 'no'}
              allowDeselect={false}
              disabled={isUnanswered}
              onChange={(chosen) => change({ value: chosen === 'yes' })}
            />
          </Group>
        )}
        {!isWrite && (
          <Group grow align="flex-start">
            <TextInput
              label={words.code}
              required
              maxLength={200}
              disabled={isUnanswered}
              value={bonus_code}
              onChange={({ currentTarget }) => change({ bonus_code: currentTarget.value })}
            />
            {isFunds && (
              <>
                <TextInput
                  label={words.amount}
                  required
                  inputMode="decimal"
                  disabled={isUnanswered}
                  value={amount}
                  onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
                />
                <TextInput
                  label={words.currency}
                  required
                  maxLength={10}
                  disabled={isUnanswered}
                  value={currency}
                  onChange={({ currentTarget }) => change({ currency: currentTarget.value.toUpperCase() })}
                />
              </>
            )}
          </Group>
        )}
        {!isComplete && (
          <Text size="sm" c="dimmed">
            {words.incomplete}
          </Text>
        )}
        {isKnown && <ShownRequest request={preview.data.request} />}
        {isKnown && !isWrite && (
          <Text size="xs" c="dimmed">
            {words.once}
          </Text>
        )}
        {preview.error !== null && isComplete && <Problem error={preview.error} />}
        {isUnanswered && <Alert color="yellow">{words.unanswered}</Alert>}
        <TextInput
          label={words.confirm(userId)}
          autoComplete="off"
          value={confirmed}
          onChange={({ currentTarget }) => setConfirmed(currentTarget.value)}
        />
        {send.error !== null && <Problem error={send.error} />}
        <Group justify="flex-end">
          <Button type="submit" color="red" loading={send.isPending} disabled={!isKnown || confirmed.trim() !== userId}>
            {isUnanswered ? words.sendAgain : words.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Croupier creates a player with the first event. */
function Problem({ error }: { error: Error }) {
  const words = useWords(endpointTests);
  if (error instanceof ApiProblem && error.code === 'not_found')
    return <Alert color="yellow">{words.unknownPlayer}</Alert>;
  return <Failed error={error} />;
}
