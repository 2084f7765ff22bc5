import { Alert, Autocomplete, Button, Group, Modal, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { bulk } from '../../text/bulk.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useLanguage, useWords } from '../../text/text.tsx';
import { moneyText, useBaseCurrency } from '../../ui/money.tsx';
import { Moment, useNumber } from '../../ui/values.tsx';
import { bonusListQuery } from '../rewards/queries.ts';
import { OrderForm } from './order-form.tsx';
import { bodyOfTerms, type Terms, timesCount, usualTerms } from './terms.ts';
import { TermsFields } from './terms-fields.tsx';

interface OrderOfferProps {
  brand: string;
  segment: { code: string; name: string; members: number };
}

/** A dialog that offers a bonus to all members of a segment. */
export function OrderOffer({ brand, segment }: OrderOfferProps) {
  const { order: words } = useWords(bulk);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" disabled={segment.members === 0} onClick={open}>
        {words.offer}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`${words.offer}: ${segment.name}`} size="lg">
        <OfferForm brand={brand} segment={segment} onClose={close} />
      </Modal>
    </>
  );
}

interface Typed extends Terms {
  bonus_code: string;
  amount: string;
  currency: string;
  wagering: number | string;
  note: string;
}

const empty: Typed = { ...usualTerms, bonus_code: '', amount: '', currency: '', wagering: '', note: '' };
/** A decimal number with a point, as the API takes it. */
const isAmount = (text: string) => /^\d+(\.\d+)?$/.test(text);
const isHalf = ({ amount, currency }: Typed) => (amount.trim() === '') !== (currency.trim() === '');
const isWhole = (typed: Typed) => !isHalf(typed) && (typed.amount.trim() === '' || isAmount(typed.amount.trim()));

function OfferForm({ brand, segment, onClose }: OrderOfferProps & { onClose(): void }) {
  const { order: words } = useWords(bulk);
  const { bonus: labels } = useWords(playerActions);
  const { language } = useLanguage();
  const number = useNumber();
  return (
    <OrderForm
      brand={brand}
      segment={segment}
      kind="offer"
      about={words.offerAbout}
      empty={empty}
      fields={(typed, change) => <OfferFields brand={brand} typed={typed} change={change} />}
      isComplete={(typed) =>
        typed.bonus_code.trim() !== '' && typed.note.trim() !== '' && isWhole(typed) && typed.pace !== ''
      }
      way={() => ({ channel: 'bonus', purpose: 'marketing' })}
      rows={({ bonus_code, amount, currency, expires, note }, members) => {
        const sum = amount.trim() === '' ? undefined : timesCount(amount.trim(), members);
        return [
          [labels.code, bonus_code],
          ...(amount.trim() === '' ? [] : ([[labels.amount, moneyText(amount.trim(), currency, language)]] as const)),
          [
            words.most,
            sum === undefined
              ? words.operatorDecides
              : words.mostOf(moneyText(sum, currency, language), number(members)),
          ],
          ...(expires === ''
            ? []
            : ([[labels.expires, <Moment key="expires" at={new Date(expires).toISOString()} />]] as const)),
          [labels.note, note],
        ];
      }}
      pace={({ pace }) => Number(pace)}
      send={(typed, key) =>
        bodyOf(
          api.POST('/api/console/v1/brands/{brand}/segments/{code}/offers', {
            params: { path: { brand, code: segment.code } },
            headers: { 'Idempotency-Key': key },
            body: {
              bonus_code: typed.bonus_code.trim(),
              note: typed.note.trim(),
              ...(typed.amount.trim() !== '' && { amount: typed.amount.trim(), currency: typed.currency.trim() }),
              ...(typed.wagering !== '' && { wagering: Number(typed.wagering) }),
              ...bodyOfTerms(typed),
            },
          }),
        )
      }
      onClose={onClose}
    />
  );
}

interface OfferFieldsProps {
  brand: string;
  typed: Typed;
  change(to: Partial<Typed>): void;
}

function OfferFields({ brand, typed, change }: OfferFieldsProps) {
  const { order: words } = useWords(bulk);
  const { bonus: labels } = useWords(playerActions);
  const listed = useQuery({ ...bonusListQuery(brand), refetchInterval: false });
  const baseCurrency = useBaseCurrency();
  const { bonus_code, amount, currency, wagering, expires, note } = typed;
  return (
    <>
      <Autocomplete
        label={labels.code}
        description={labels.codeHint}
        required
        data={listed.data?.bonuses.map((one) => one.bonus_code) ?? []}
        value={bonus_code}
        onChange={(value) => change({ bonus_code: value })}
      />
      <Group align="flex-start">
        <TextInput
          label={labels.amount}
          description={labels.amountHint}
          inputMode="decimal"
          value={amount}
          error={amount.trim() !== '' && !isAmount(amount.trim()) && words.noAmount}
          onChange={({ currentTarget }) =>
            change({ amount: currentTarget.value, currency: currency === '' ? baseCurrency : currency })
          }
        />
        <TextInput
          label={labels.currency}
          description={labels.amountHint}
          value={currency}
          onChange={({ currentTarget }) => change({ currency: currentTarget.value.toUpperCase() })}
        />
      </Group>
      {isHalf(typed) && <Alert color="yellow">{labels.incomplete}</Alert>}
      <NumberInput
        label={words.wagering}
        description={words.wageringHint}
        min={0}
        value={wagering}
        onChange={(value) => change({ wagering: value })}
      />
      <TextInput
        type="datetime-local"
        label={labels.expires}
        description={labels.expiresHint}
        value={expires}
        onChange={({ currentTarget }) => change({ expires: currentTarget.value })}
      />
      <TermsFields terms={typed} change={change} />
      <Textarea
        label={labels.note}
        description={labels.noteHint}
        required
        maxLength={2000}
        value={note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
      />
    </>
  );
}
