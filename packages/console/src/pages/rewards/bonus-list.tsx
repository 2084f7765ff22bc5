import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { places } from '../../text/places.ts';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Fields } from '../../ui/fields.tsx';
import { Rows } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { bonusListQuery } from './queries.ts';

/** The bonuses that the operator offers. */
export function BonusList() {
  const brand = useBrand();
  const { list: words } = useWords(rewards);
  const nameOf = useCode();
  const title = useWords(places).pages['bonus-list'];
  const { common } = useText();
  const number = useNumber();
  const shown = useQuery(bonusListQuery(brand));
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const { state, bonuses, left_out, as_of, error } = shown.data;
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        <Button variant="light" loading={shown.isFetching} onClick={() => shown.refetch()}>
          {words.again}
        </Button>
      }
    >
      {error !== null && (
        <Alert color="red" title={nameOf(error.reason)}>
          {error.detail}
        </Alert>
      )}
      <Fields
        of={[
          [common.state, <State key="state" of={state} label={words.states[state]} />],
          [words.asOf, <Moment key="as-of" at={as_of} />],
          [words.leftOut, number(left_out)],
        ]}
      />
      {bonuses.length === 0 ? (
        <Empty next={state !== 'fresh' && <To to="integration/operator">{words.toOperator}</To>}>
          {{ ...words.states, fresh: words.none, not_offered: words.notOffered }[state]}
        </Empty>
      ) : (
        <Rows
          items={bonuses}
          keyOf={({ bonus_code }) => bonus_code}
          columns={[
            { title: words.code, show: ({ bonus_code }) => <code>{bonus_code}</code> },
            { title: words.text, show: ({ text }) => text },
          ]}
        />
      )}
    </Page>
  );
}
