import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  Input,
  NumberInput,
  type NumberInputProps,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { useBaseCurrency } from '../../ui/money.tsx';
import { NamedSelect } from '../../ui/named/named-select.tsx';
import { isSameJson } from '../../ui/same-json.ts';
import { useUndo } from '../../ui/undo.tsx';
import { filledValues, nextKey, type ValueRow, valueRows } from './bonus-values.ts';
import { type BudgetShown, bonusListQuery } from './queries.ts';

const defaultDays = 30;
const defaultAlarm = 90;
const iconSize = 16;
const currencyWidth = 52;

interface BudgetFormProps {
  brand: string;
  /** The budget to change. Undefined to create a new one. */
  budget: BudgetShown | undefined;
  touches: readonly unknown[];
  onDone(): void;
}

/**
 * Creates a budget, or changes its limits. The scope of a budget cannot be changed, because its spending was counted
 * for this scope.
 */
export function BudgetForm({ brand, budget, touches, onDone }: BudgetFormProps) {
  const { budgets: words } = useWords(rewards);
  const { common } = useText();
  const offerUndo = useUndo();
  const [name, setName] = useState(budget?.name ?? '');
  const [scope, setScope] = useState<'campaign' | 'player'>(budget?.scope ?? 'campaign');
  const [campaign, setCampaign] = useState<string | null>(budget?.activity_id ?? null);
  const [days, setDays] = useState<number | string>(defaultDays);
  const [amount, setAmount] = useState<number | string>(budget?.limit_amount ?? '');
  const [count, setCount] = useState<number | string>(budget?.limit_count ?? '');
  const [alarm, setAlarm] = useState<number | string>(budget?.alarm_percent ?? defaultAlarm);
  const [values, setValues] = useState<readonly ValueRow[]>(valueRows(budget?.bonus_values ?? {}));
  const typed = { name, scope, campaign, days, amount, count, alarm, values: filledValues(values) };
  const [first] = useState(typed);
  const isUnlimited = amount === '' && count === '';
  const [isRefused, setRefused] = useState(false);
  const missing = isRefused && isUnlimited ? words.noLimit : undefined;
  const limits = {
    name: name.trim(),
    limit_amount: amount === '' ? null : String(amount),
    limit_count: count === '' ? null : Number(count),
    bonus_values: filledValues(values),
    alarm_percent: alarm === '' ? defaultAlarm : Number(alarm),
  };
  const put = (budget_id: number, body: typeof limits) =>
    api.PUT('/api/console/v1/brands/{brand}/budgets/{budget_id}', { params: { path: { brand, budget_id } }, body });
  const restore = useAct(
    ({ budget_id, name: former, ...was }: BudgetShown) =>
      put(budget_id, {
        name: former,
        limit_amount: was.limit_amount,
        limit_count: was.limit_count,
        bonus_values: was.bonus_values,
        alarm_percent: was.alarm_percent,
      }),
    { touches },
  );
  const save = useAct(
    async () => {
      if (budget !== undefined) return put(budget.budget_id, limits);
      const { limit_amount, limit_count, ...others } = limits;
      return api.POST('/api/console/v1/brands/{brand}/budgets', {
        params: { path: { brand } },
        body: {
          ...others,
          scope,
          ...(scope === 'campaign' ? { activity_id: campaign ?? '' } : { window_days: Number(days) }),
          ...(limit_amount !== null && { limit_amount }),
          ...(limit_count !== null && { limit_count }),
        },
      });
    },
    {
      touches,
      ...(budget === undefined && { done: words.made }),
      onDone: () => {
        if (budget !== undefined) offerUndo(words.changed, () => restore.mutateAsync(budget));
        onDone();
      },
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setRefused(isUnlimited);
        if (!isUnlimited) save.mutate();
      }}
    >
      <LeaveGuard isChanged={!isSameJson(typed, first) && !save.isSuccess} isSaving={save.isPending} />
      <Stack gap="sm">
        <TextInput
          label={common.name}
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {budget === undefined && (
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
        )}
        {budget === undefined && scope === 'campaign' && (
          <NamedSelect list="campaigns" label={words.activity} required value={campaign} onChange={setCampaign} />
        )}
        {budget === undefined && scope === 'player' && (
          <NumberInput
            label={words.days}
            description={words.daysHint}
            min={1}
            max={366}
            value={days}
            onChange={setDays}
            hideControls
          />
        )}
        <Group grow align="flex-start">
          <AmountInput label={words.amount} value={amount} error={missing} onChange={setAmount} />
          <NumberInput
            label={words.count}
            min={1}
            value={count}
            error={missing !== undefined}
            onChange={setCount}
            hideControls
          />
        </Group>
        <ValuesInput brand={brand} rows={values} onChange={setValues} />
        {scope === 'campaign' && (
          <NumberInput
            label={words.alarm}
            description={words.alarmHint}
            suffix=" %"
            min={1}
            max={100}
            value={alarm}
            onChange={setAlarm}
            hideControls
          />
        )}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {budget === undefined ? words.make : words.save}
          </Button>
          <Button variant="default" onClick={onDone}>
            {common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** An amount in the base currency of the brand. */
function AmountInput(props: NumberInputProps) {
  const currency = useBaseCurrency();
  return (
    <NumberInput
      rightSectionWidth={currencyWidth}
      rightSection={
        <Text size="xs" c="dimmed">
          {currency}
        </Text>
      }
      min={0}
      hideControls
      {...props}
    />
  );
}

interface ValuesInputProps {
  brand: string;
  rows: readonly ValueRow[];
  onChange(rows: readonly ValueRow[]): void;
}

/** The cost of bonuses that have no amount, such as free spins. Without a cost, they do not count toward an amount. */
function ValuesInput({ brand, rows, onChange }: ValuesInputProps) {
  const { budgets: words } = useWords(rewards);
  const listed = useQuery(bonusListQuery(brand));
  const codes = [...new Set(listed.data?.bonuses.map(({ bonus_code }) => bonus_code) ?? [])];
  const set = (place: number, part: Partial<ValueRow>) =>
    onChange(rows.map((row, index) => (index === place ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper label={words.values} labelElement="div" description={words.valuesHint}>
      <Stack gap="xs" mt={4}>
        {rows.map((row, place) => (
          <Group key={row.key} gap="xs" wrap="nowrap">
            <Autocomplete
              aria-label={words.bonusCode}
              placeholder={words.bonusCode}
              style={{ flex: 1 }}
              data={codes}
              value={row.code}
              onChange={(code) => set(place, { code })}
            />
            <AmountInput
              aria-label={words.value}
              placeholder={words.value}
              w={130}
              value={row.value}
              onChange={(value) => set(place, { value: String(value) })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`${words.removeValue} ${row.code}`}
              onClick={() => onChange(rows.filter((_, index) => index !== place))}
            >
              <IconTrash size={iconSize} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onChange([...rows, { key: nextKey(rows), code: '', value: '' }])}
          >
            {words.addValue}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
