import { Alert, Autocomplete, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { playerActions } from '../../text/player-actions.ts';
import { useWords } from '../../text/text.tsx';
import { useBaseCurrency } from '../../ui/money.tsx';
import { bonusListQuery } from './queries.ts';
import { isHalf, isWrongAmount, type TypedBonus } from './typed-bonus.ts';

interface BonusFieldsProps {
  brand: string;
  typed: TypedBonus;
  change(to: Partial<TypedBonus>): void;
}

/** The fields of a bonus for one player or for many: its code, amount and currency. */
export function BonusFields({ brand, typed, change }: BonusFieldsProps) {
  const { bonus: words } = useWords(playerActions);
  const listed = useQuery({ ...bonusListQuery(brand), refetchInterval: false });
  const baseCurrency = useBaseCurrency();
  const { bonus_code, amount, currency } = typed;
  return (
    <>
      <Autocomplete
        label={words.code}
        description={words.codeHint}
        required
        data={listed.data?.bonuses.map((one) => one.bonus_code) ?? []}
        value={bonus_code}
        onChange={(value) => change({ bonus_code: value })}
      />
      <Group align="flex-start">
        <TextInput
          label={words.amount}
          description={words.amountHint}
          inputMode="decimal"
          value={amount}
          error={isWrongAmount(typed) && words.noAmount}
          onChange={({ currentTarget }) =>
            change({ amount: currentTarget.value, currency: currency === '' ? baseCurrency : currency })
          }
        />
        <TextInput
          label={words.currency}
          description={words.amountHint}
          value={currency}
          onChange={({ currentTarget }) => change({ currency: currentTarget.value.toUpperCase() })}
        />
      </Group>
      {isHalf(typed) && <Alert color="yellow">{words.incomplete}</Alert>}
    </>
  );
}
