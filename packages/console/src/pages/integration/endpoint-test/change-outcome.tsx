import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { every } from '../../../api/live.ts';
import { endpointTests } from '../../../text/endpoint-tests.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { To } from '../../../ui/to.tsx';
import { State } from '../../../ui/values.tsx';
import { ShownAnswer } from './shown-call.tsx';

/** What was ordered: a bonus, or a change of a consent or block. */
export type SentChange = { intent_id: string } | { change_id: number };

const refreshMs = 1_000;

/** Follows a bonus, also after the operator has answered, because an unknown outcome may still be resolved. */
export function BonusOutcome({ brand, intentId: intent_id }: { brand: string; intentId: string }) {
  const words = useWords(endpointTests);
  const nameOf = useCode();
  const shown = useQuery({
    queryKey: [brand, 'intent', intent_id],
    refetchInterval: every(refreshMs),
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/bonus-intents/{intent_id}', {
          params: { path: { brand, intent_id } },
        }),
      ),
  });
  if (shown.isPending) return <Ordered />;
  if (shown.isLoadingError) return <Failed error={shown.error} onRetry={() => shown.refetch()} />;
  const { intent, attempts } = shown.data;
  const attempt = attempts.findLast(({ ended_at }) => ended_at !== null);
  const link = <To to={`rewards/intents/${intent_id}`}>{words.toIntent}</To>;
  const state = <State of={intent.state} />;
  const reason = intent.reason !== null && <Text size="sm">{nameOf(intent.reason)}</Text>;
  if (attempt === undefined)
    return (
      <>
        {intent.reason === null && intent.state !== 'rejected' ? (
          <Ordered />
        ) : (
          <Text size="sm" role="status">
            {words.held}
          </Text>
        )}
        {state}
        {reason}
        {link}
      </>
    );
  const { answer } = attempt;
  return (
    <ShownAnswer
      status={answer?.status ?? null}
      took_ms={attempt.took_ms}
      body={answer?.body ?? null}
      isCut={answer?.cut ?? false}
      color={intent.state === 'credited' ? 'green' : intent.state === 'rejected' ? 'red' : 'yellow'}
      title={intent.state === 'credited' ? words.outcomes.works : words.outcomes.fails}
      link={link}
    >
      {state}
      {reason}
      {attempt.detail !== null && <Text size="sm">{attempt.detail}</Text>}
    </ShownAnswer>
  );
}

/** Follows a changed consent or block until the operator has answered. */
export function WriteOutcome({ brand, userId, changeId }: { brand: string; userId: string; changeId: number }) {
  const words = useWords(endpointTests);
  const nameOf = useCode();
  const shown = useQuery({
    queryKey: [brand, 'player', userId, 'write-backs', 'test'],
    refetchInterval: every(refreshMs),
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/players/{user_id}/write-backs', {
          params: { path: { brand, user_id: userId } },
        }),
      ),
  });
  if (shown.isPending) return <Ordered />;
  if (shown.isLoadingError) return <Failed error={shown.error} onRetry={() => shown.refetch()} />;
  const item = shown.data.items.find(({ change_id }) => change_id === changeId);
  const attempt = shown.data.attempts.find(({ item_ids }) => item !== undefined && item_ids.includes(item.item_id));
  const link = <To to={`players/${encodeURIComponent(userId)}`}>{words.toPlayer}</To>;
  if (item === undefined || attempt === undefined)
    return (
      <>
        <Ordered />
        {link}
      </>
    );
  const isStored = attempt.outcome === 'stored';
  return (
    <ShownAnswer
      status={attempt.status}
      took_ms={attempt.took_ms}
      body={attempt.answer}
      isCut={false}
      color={isStored ? 'green' : 'red'}
      title={isStored ? words.outcomes.works : words.outcomes.fails}
      link={link}
    >
      <State of={item.state} />
      {!isStored && <Text size="sm">{nameOf(attempt.outcome)}</Text>}
      {attempt.detail !== null && <Text size="sm">{attempt.detail}</Text>}
    </ShownAnswer>
  );
}

function Ordered() {
  const words = useWords(endpointTests);
  return (
    <>
      <Text size="sm" role="status">
        {words.ordered}
      </Text>
      <Loading />
    </>
  );
}
