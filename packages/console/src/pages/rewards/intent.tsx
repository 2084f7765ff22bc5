import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { IntentFields } from './intent-fields.tsx';
import { Calls, Changes, Decisions, Grants, Reservations } from './intent-parts.tsx';
import { readIntent } from './queries.ts';
import { Resolution } from './resolution.tsx';
import { isOpenQuestion } from './settling-change.ts';

const refreshMs = 2_000;
/** The states in which it is certain that nothing has been credited yet. */
const revocable: readonly string[] = ['offered', 'pending', 'retry'];

/** One bonus, with everything that is known about it. If its outcome is unknown, a person records the outcome here. */
export function Intent() {
  const brand = useBrand();
  const intent_id = useAddressPart('id');
  const { intent: words } = useWords(rewards);
  const may = useMay();
  const params = { path: { brand, intent_id } };
  const touches = [brand, 'intent', intent_id];
  const shown = useQuery({
    queryKey: touches,
    refetchInterval: every(refreshMs),
    queryFn: () => readIntent(brand, intent_id),
  });
  const cancel = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/bonus-intents/{intent_id}/cancel', { params, body: {} }),
    { touches, done: words.cancelled },
  );
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const { intent, attempts, changes, decisions, grants, reservations } = shown.data;
  return (
    <Page
      title={intent.bonus_code}
      actions={
        <>
          <To to="rewards/intents">{words.all}</To>
          {may('bonus.credit') && revocable.includes(intent.state) && (
            <Sure label={words.cancel} text={words.cancelSure} color="red" onSure={() => cancel.mutate()} />
          )}
        </>
      }
    >
      {isOpenQuestion(intent.state) && (
        <Alert color="red" title={words.why}>
          {words.unknown}
        </Alert>
      )}
      <IntentFields brand={brand} intent={intent} />
      {may('bonus.resolve') && <Resolution brand={brand} intent={intent} changes={changes} />}
      <Calls attempts={attempts} />
      <Grants grants={grants} />
      <Changes changes={changes} />
      <Decisions intentId={intent_id} decisions={decisions} />
      <Reservations reservations={reservations} />
    </Page>
  );
}
