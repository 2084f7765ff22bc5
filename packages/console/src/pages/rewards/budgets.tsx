import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { places } from '../../text/places.ts';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Money } from '../../ui/money.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { BudgetForm } from './budget-form.tsx';
import { BudgetPlayers } from './budget-players.tsx';
import { BudgetUse } from './budget-use.tsx';
import { type BudgetShown, readBudgets } from './queries.ts';

const refreshMs = 5_000;

/** The limits for the cost of bonuses. Closed budgets are shown if the user asks for them. */
export function Budgets() {
  const brand = useBrand();
  const { budgets: words } = useWords(rewards);
  const title = useWords(places).pages.budgets;
  const { common } = useText();
  const number = useNumber();
  const may = useMay()('budget.manage');
  const { filters, change } = useFilters();
  const areClosedShown = filters.closed === 'true';
  const [open, setOpen] = useState<BudgetShown | 'new'>();
  const [shown, setShown] = useState<BudgetShown>();
  const mayPlayers = useMay()('player.read');
  const touches = [brand, 'budgets'];
  const close = useAct(
    (budget_id: number) =>
      api.DELETE('/api/console/v1/brands/{brand}/budgets/{budget_id}', { params: { path: { brand, budget_id } } }),
    { touches, done: words.closed },
  );
  const create = may && <Button onClick={() => setOpen('new')}>{words.create}</Button>;
  return (
    <Page title={title} about={words.about} actions={create}>
      <Switch
        label={words.showClosed}
        checked={areClosedShown}
        onChange={({ currentTarget }) => change('closed', currentTarget.checked ? 'true' : null)}
      />
      <List
        name={[...touches, areClosedShown]}
        refreshMs={refreshMs}
        read={(cursor) => readBudgets(brand, areClosedShown, cursor)}
        keyOf={({ budget_id }) => budget_id}
        empty={words.none}
        columns={[
          { title: common.name, show: ({ name }) => name, sort: { name: 'name', of: ({ name }) => name } },
          {
            title: words.scope,
            show: ({ scope, activity_id, window_days }) =>
              scope === 'player' ? words.eachPlayer(window_days) : <CampaignLink code={activity_id ?? ''} />,
          },
          {
            title: common.state,
            show: (budget) => (
              <Stack gap={4} align="flex-start">
                <BudgetState of={budget} />
                {budget.scope === 'player' && budget.closed_at === null && mayPlayers && (
                  <Button
                    size="compact-xs"
                    variant="light"
                    aria-haspopup="dialog"
                    aria-label={words.whoIsNear(budget.name)}
                    onClick={() => setShown(budget)}
                  >
                    {words.players}
                  </Button>
                )}
              </Stack>
            ),
          },
          {
            title: words.money,
            show: ({ scope, limit_amount, spent, reserved }) => (
              <BudgetUse
                isShared={scope === 'campaign'}
                show={(amount) => <Money of={amount} />}
                limit={limit_amount}
                spent={spent.amount}
                reserved={reserved.amount}
              />
            ),
          },
          {
            title: words.bonuses,
            show: ({ scope, limit_count, spent, reserved }) => (
              <BudgetUse
                isShared={scope === 'campaign'}
                show={(count) => number(Number(count))}
                limit={limit_count === null ? null : String(limit_count)}
                spent={String(spent.count)}
                reserved={String(reserved.count)}
              />
            ),
          },
          {
            title: common.actions,
            show: (budget) =>
              may && budget.closed_at === null ? (
                <Group gap="xs" wrap="nowrap">
                  <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setOpen(budget)}>
                    {words.edit}
                  </Button>
                  <Sure
                    size="xs"
                    color="red"
                    label={words.close}
                    text={words.closeSure}
                    onSure={() => close.mutate(budget.budget_id)}
                  />
                </Group>
              ) : (
                common.none
              ),
          },
        ]}
      />
      <SidePanel
        title={open === undefined ? undefined : open === 'new' ? words.create : open.name}
        close={() => setOpen(undefined)}
      >
        {open !== undefined && (
          <BudgetForm
            brand={brand}
            budget={open === 'new' ? undefined : open}
            touches={touches}
            onDone={() => setOpen(undefined)}
          />
        )}
      </SidePanel>
      <SidePanel title={shown && words.whoIsNear(shown.name)} close={() => setShown(undefined)}>
        {shown !== undefined && <BudgetPlayers brand={brand} budget={shown} />}
      </SidePanel>
    </Page>
  );
}

function BudgetState({ of: { closed_at, near_limit } }: { of: BudgetShown }) {
  const { budgets: words } = useWords(rewards);
  if (closed_at !== null)
    return (
      <Text span size="sm" c="dimmed">
        {words.closedAt} <Moment at={closed_at} />
      </Text>
    );
  return near_limit ? <State of="warning" label={words.near} /> : <State of="in_force" label={words.inForce} />;
}
