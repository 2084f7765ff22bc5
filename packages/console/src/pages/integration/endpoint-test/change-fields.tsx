import { Group, Select, TextInput } from '@mantine/core';
import { endpointTests } from '../../../text/endpoint-tests.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { isBlock, isFunds, type TypedChange, typesOf } from './change.ts';
import type { ChangingEndpoint } from './endpoints.ts';

interface ChangeFieldsProps {
  endpoint: ChangingEndpoint;
  typed: TypedChange;
  isDisabled: boolean;
  change(to: Partial<TypedChange>): void;
}

/** The consent or block to change, and its new value. */
export function WriteFields({ endpoint, typed: { type, value }, isDisabled, change }: ChangeFieldsProps) {
  const words = useWords(endpointTests);
  const nameOf = useCode();
  const types = typesOf(endpoint);
  const ofBlock = isBlock(endpoint);
  return (
    <Group grow align="flex-start">
      <Select
        label={ofBlock ? words.block : words.consent}
        data={types.map((one) => ({ value: one, label: nameOf(one) }))}
        value={type}
        allowDeselect={false}
        disabled={isDisabled}
        onChange={(chosen) => change({ type: types.find((one) => one === chosen) ?? type })}
      />
      <Select
        label={words.to}
        data={[
          { value: 'yes', label: ofBlock ? words.set : words.given },
          { value: 'no', label: ofBlock ? words.lifted : words.withdrawn },
        ]}
        value={value ? 'yes' : 'no'}
        allowDeselect={false}
        disabled={isDisabled}
        onChange={(chosen) => change({ value: chosen === 'yes' })}
      />
    </Group>
  );
}

/** The bonus to credit. Funds also have an amount. */
export function BonusFields({ endpoint, typed, isDisabled, change }: ChangeFieldsProps) {
  const words = useWords(endpointTests);
  const { bonus_code, amount, currency } = typed;
  return (
    <Group grow align="flex-start">
      <TextInput
        label={words.code}
        required
        maxLength={200}
        disabled={isDisabled}
        value={bonus_code}
        onChange={({ currentTarget }) => change({ bonus_code: currentTarget.value })}
      />
      {isFunds(endpoint) && (
        <>
          <TextInput
            label={words.amount}
            required
            inputMode="decimal"
            disabled={isDisabled}
            value={amount}
            onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
          />
          <TextInput
            label={words.currency}
            required
            maxLength={10}
            disabled={isDisabled}
            value={currency}
            onChange={({ currentTarget }) => change({ currency: currentTarget.value.toUpperCase() })}
          />
        </>
      )}
    </Group>
  );
}
