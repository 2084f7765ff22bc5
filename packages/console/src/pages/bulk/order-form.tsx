import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { newRequestKey } from '../../api/request-key.ts';
import { forgetOrder, type Order, sendOrder, unansweredOrder } from '../../api/unanswered-orders.ts';
import { bulk } from '../../text/bulk.ts';
import { useText, useWords } from '../../text/text.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { OrderedLately, sinceYesterday } from '../../ui/ordered-lately.tsx';
import { isSameJson } from '../../ui/same-json.ts';
import { CreatedBy } from '../rewards/created-by.tsx';
import { useGets } from './gets.ts';
import { actionsOfSegment } from './queries.ts';
import type { Way } from './reach.tsx';
import { Review } from './review.tsx';

interface OrderFormProps<Typed> {
  brand: string;
  segment: { code: string; name: string };
  kind: 'message' | 'offer';
  about: string;
  empty: Typed;
  fields(typed: Typed, change: (to: Partial<Typed>) => void): ReactNode;
  isComplete(typed: Typed): boolean;
  /** The channel and the purpose, by which the gate decides about each member. */
  way(typed: Typed): Way;
  /** What each player gets, as rows of the review. */
  rows(typed: Typed, members: number): readonly (readonly [name: string, value: ReactNode])[];
  pace(typed: Typed): number;
  /** Sends the order with this Idempotency-Key. */
  send(typed: Typed, key: string): Promise<{ action_id: number }>;
  onClose(): void;
}

/**
 * Orders a message or an offer for all members of a segment, in two steps: the person enters the order, and then sees the
 * number of players and confirms. An order whose answer did not arrive cannot be changed: the person can only send it again,
 * or start over.
 */
export function OrderForm<Typed>(props: OrderFormProps<Typed>) {
  const { brand, segment, kind, about, empty, fields, isComplete, way, rows, pace, send, onClose } = props;
  const { order: words } = useWords(bulk);
  const { common } = useText();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const place = `${brand} ${segment.code} ${kind}`;
  const [order, setOrder] = useState<Order<Typed>>(
    () => unansweredOrder(place) ?? { typed: empty, key: newRequestKey() },
  );
  const { typed, key } = order;
  const [openedWith] = useState(() => unansweredOrder(place)?.key);
  const [isReviewed, setReviewed] = useState(openedWith !== undefined);
  const change = (to: Partial<Typed>) => {
    placing.reset();
    setOrder({ typed: { ...typed, ...to }, key: newRequestKey() });
  };
  const placing = useMutation({
    mutationFn: () => sendOrder(place, order, () => send(typed, key)),
    onSuccess: async ({ action_id }) => {
      await queries.invalidateQueries({ queryKey: [brand, 'bulk-actions'] });
      await navigate({ to: `/${brand}/messages/bulk-actions/${action_id}` as '/', ignoreBlocker: true });
    },
  });
  const isUnanswered = !placing.isPending && [openedWith, unansweredOrder(place)?.key].includes(key);
  const startOver = () => {
    forgetOrder(place);
    placing.reset();
    setOrder({ typed: empty, key: newRequestKey() });
    setReviewed(false);
  };
  // An order without an answer is kept when the dialog closes (unanswered-orders.ts).
  const isChanged = !isUnanswered && !placing.isSuccess && !isSameJson(typed, empty);
  if (isReviewed)
    return (
      <>
        <LeaveGuard isChanged={isChanged} isSaving={placing.isPending} />
        <Review
          brand={brand}
          segment={segment}
          kind={kind}
          way={way(typed)}
          rows={(members) => rows(typed, members)}
          pace={pace(typed)}
          error={placing.error}
          isSending={placing.isPending || placing.isSuccess}
          isUnanswered={isUnanswered}
          onSend={() => placing.mutate()}
          onBack={() => setReviewed(false)}
          onStartOver={startOver}
        />
      </>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setReviewed(true);
  };
  return (
    <form onSubmit={submit}>
      <LeaveGuard isChanged={isChanged} isSaving={placing.isPending} />
      <Stack>
        <Text size="sm">{about}</Text>
        <Recent brand={brand} segment={segment.code} />
        {fields(typed, change)}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" disabled={!isComplete(typed)}>
            {words.review}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The newest orders for the segment from the last 24 hours. */
function Recent({ brand, segment }: { brand: string; segment: string }) {
  const { order: words } = useWords(bulk);
  const gets = useGets();
  const [from] = useState(() => sinceYesterday(Date.now()));
  const actions = useQuery(actionsOfSegment(brand, segment));
  const recent = (actions.data?.items ?? []).filter(({ created_at }) => created_at > from);
  return (
    <OrderedLately
      title={words.recent}
      hint={words.recentHint}
      items={recent.map((action) => ({
        to: `messages/bulk-actions/${action.action_id}`,
        what: gets(action),
        at: action.created_at,
        by: <CreatedBy of={action.created_by} />,
        state: action.state,
      }))}
    />
  );
}
