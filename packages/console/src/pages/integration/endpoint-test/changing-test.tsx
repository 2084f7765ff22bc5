import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../../api/client.ts';
import { newRequestKey } from '../../../api/request-key.ts';
import { type Order, sendOrder, unansweredOrder } from '../../../api/unanswered-orders.ts';
import { endpointTests } from '../../../text/endpoint-tests.ts';
import { useWords } from '../../../text/text.tsx';
import { Failed } from '../../../ui/states.tsx';
import { firstChange, isComplete, isWrite, previewed, sendChange, type TypedChange } from './change.ts';
import { BonusFields, WriteFields } from './change-fields.tsx';
import { BonusOutcome, WriteOutcome } from './change-outcome.tsx';
import type { ChangingEndpoint } from './endpoints.ts';
import { ShownRequest } from './shown-call.tsx';

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
  const place = `test ${brand} ${endpoint} ${userId}`;
  const test = { brand, endpoint, userId, note: words.note };
  // A second press of the button, or a retry after a lost answer, must not credit twice.
  const [order, setOrder] = useState<Order<TypedChange>>(
    () => unansweredOrder(place) ?? { typed: firstChange(endpoint), key: newRequestKey() },
  );
  const [confirmed, setConfirmed] = useState('');
  const { typed } = order;
  const change = (to: Partial<TypedChange>) => {
    send.reset();
    setConfirmed('');
    setOrder({ typed: { ...typed, ...to }, key: newRequestKey() });
  };
  const hasAll = isComplete(endpoint, typed);
  const body = previewed(test, typed);
  const preview = useQuery({
    queryKey: [brand, 'operator-call', body],
    enabled: hasAll,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: () =>
      bodyOf(api.POST('/api/console/v1/brands/{brand}/operator-tests/preview', { params: { path: { brand } }, body })),
  });
  const send = useMutation({
    mutationFn: () => sendOrder(place, order, () => sendChange(test, order)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  const isUnanswered = !send.isPending && unansweredOrder(place)?.key === order.key;
  const isKnown = hasAll && preview.isSuccess && !preview.isPlaceholderData;
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
  const Fields = isWrite(endpoint) ? WriteFields : BonusFields;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Alert color="yellow">{words.changes(userId)}</Alert>
        <Fields endpoint={endpoint} typed={typed} isDisabled={isUnanswered} change={change} />
        {!hasAll && (
          <Text size="sm" c="dimmed">
            {words.incomplete}
          </Text>
        )}
        {isKnown && <ShownRequest request={preview.data.request} />}
        {isKnown && !isWrite(endpoint) && (
          <Text size="xs" c="dimmed">
            {words.once}
          </Text>
        )}
        {preview.error !== null && hasAll && <Problem error={preview.error} />}
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
