import { Button, Card, Group, NumberInput, Select, SimpleGrid, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { campaignsQuery } from '../../api/queries.ts';
import { places } from '../../text/places.ts';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';

const refreshMs = 5_000;
const defaultDays = 30;

/** The limits for the cost of bonuses. */
export function Budgets() {
  const brand = useBrand();
  const { budgets: words } = useWords(rewards);
  const title = useWords(places).pages.budgets;
  const { common } = useText();
  const number = useNumber();
  const may = useMay()('budget.manage');
  const campaigns = useQuery(campaignsQuery(brand)).data?.items;
  const touches = [brand, 'budgets'];
  const close = useAct(
    (budget_id: number) =>
      api.DELETE('/api/console/v1/brands/{brand}/budgets/{budget_id}', { params: { path: { brand, budget_id } } }),
    { touches, done: words.closed },
  );
  const amounts = (amount: string | null, count: number | null) =>
    [amount, count === null ? null : `× ${number(count)}`].filter((one) => one !== null).join(', ') || common.none;
  return (
    <Page title={title} about={words.about}>
      {may && <NewBudget brand={brand} touches={touches} />}
      <List
        name={touches}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/budgets', {
              params: { path: { brand }, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ budget_id }) => budget_id}
        empty={words.none}
        columns={[
          { title: common.name, show: ({ name }) => name },
          {
            title: words.scope,
            show: ({ scope, activity_id }) =>
              scope === 'player' ? (
                words.player
              ) : (
                <To to={`campaigns/${activity_id}`}>
                  {campaigns?.find(({ code }) => code === activity_id)?.name ?? activity_id}
                </To>
              ),
          },
          {
            title: common.state,
            show: ({ closed_at, near_limit }) => {
              if (closed_at !== null) return <Moment at={closed_at} />;
              return near_limit ? (
                <State of="warning" label={words.near} />
              ) : (
                <State of="in_force" label={words.inForce} />
              );
            },
          },
          {
            title: words.amount,
            align: 'right',
            show: ({ limit_amount, limit_count }) => amounts(limit_amount, limit_count),
          },
          { title: words.reserved, align: 'right', show: ({ reserved }) => amounts(reserved.amount, reserved.count) },
          { title: words.spent, align: 'right', show: ({ spent }) => amounts(spent.amount, spent.count) },
          {
            title: words.left,
            align: 'right',
            show: ({ left }) => (left === null ? common.none : amounts(left.amount, left.count)),
          },
          {
            title: common.actions,
            show: ({ budget_id, closed_at }) =>
              may && closed_at === null ? (
                <Sure
                  size="xs"
                  color="red"
                  label={words.close}
                  text={words.closeSure}
                  onSure={() => close.mutate(budget_id)}
                />
              ) : (
                common.none
              ),
          },
        ]}
      />
    </Page>
  );
}

function NewBudget({ brand, touches }: { brand: string; touches: readonly unknown[] }) {
  const { budgets: words } = useWords(rewards);
  const { common } = useText();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'campaign' | 'player'>('campaign');
  const [campaign, setCampaign] = useState<string | null>(null);
  const campaigns = useQuery(campaignsQuery(brand)).data?.items ?? [];
  const [days, setDays] = useState<number | string>(defaultDays);
  const [amount, setAmount] = useState<number | string>('');
  const [count, setCount] = useState<number | string>('');
  const isUnlimited = amount === '' && count === '';
  const [isRefused, setRefused] = useState(false);
  const missing = isRefused && isUnlimited ? words.noLimit : undefined;
  const create = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/budgets', {
        params: { path: { brand } },
        body: {
          name: name.trim(),
          scope,
          ...(scope === 'campaign' ? { activity_id: campaign ?? '' } : { window_days: Number(days) }),
          ...(amount !== '' && { limit_amount: String(amount) }),
          ...(count !== '' && { limit_count: Number(count) }),
        },
      }),
    { touches, done: words.made, onDone: () => setName('') },
  );
  return (
    <Card withBorder>
      <Title order={3} size="h4" mb="xs">
        {words.create}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setRefused(isUnlimited);
          if (!isUnlimited) create.mutate();
        }}
      >
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 5 }} spacing="sm" verticalSpacing="xs">
          <TextInput
            label={common.name}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Select
            label={words.scope}
            data={[
              { value: 'campaign', label: words.campaign },
              { value: 'player', label: words.player },
            ]}
            value={scope}
            allowDeselect={false}
            onChange={(value) => setScope(value === 'player' ? 'player' : 'campaign')}
          />
          {scope === 'campaign' ? (
            <Select
              label={words.activity}
              required
              searchable
              data={campaigns.map(({ code, name: title }) => ({
                value: code,
                label: title === code ? code : `${title} (${code})`,
              }))}
              value={campaign}
              nothingFoundMessage={words.noCampaign}
              onChange={setCampaign}
            />
          ) : (
            <NumberInput label={words.days} min={1} value={days} onChange={setDays} hideControls />
          )}
          <NumberInput label={words.amount} min={0} value={amount} error={missing} onChange={setAmount} hideControls />
          <NumberInput
            label={words.count}
            min={1}
            value={count}
            error={missing !== undefined}
            onChange={setCount}
            hideControls
          />
        </SimpleGrid>
        <Group mt="sm">
          <Button type="submit" loading={create.isPending}>
            {words.make}
          </Button>
        </Group>
      </form>
    </Card>
  );
}
