import { Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { api, bodyOf } from '../../api/client.ts';
import { bulk } from '../../text/bulk.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useLanguage, useWords } from '../../text/text.tsx';
import { FormDialog } from '../../ui/leave-guard.tsx';
import { moneyText } from '../../ui/money.tsx';
import { Moment, useNumber } from '../../ui/values.tsx';
import { BonusFields } from '../rewards/bonus-fields.tsx';
import { bodyOfBonus, emptyBonus, isCompleteBonus, type TypedBonus } from '../rewards/typed-bonus.ts';
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
      <FormDialog opened={isOpen} onClose={close} title={`${words.offer}: ${segment.name}`} size="lg">
        <OfferForm brand={brand} segment={segment} onClose={close} />
      </FormDialog>
    </>
  );
}

interface Typed extends Terms, TypedBonus {
  wagering: number | string;
  note: string;
}

const empty: Typed = { ...usualTerms, ...emptyBonus, wagering: '', note: '' };

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
      isComplete={(typed) => isCompleteBonus(typed) && typed.note.trim() !== '' && typed.pace !== ''}
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
              : words.mostOf(moneyText(sum, currency, language), number(members), members === 1),
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
              ...bodyOfBonus(typed),
              note: typed.note.trim(),
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
  const { wagering, expires, note } = typed;
  return (
    <>
      <BonusFields brand={brand} typed={typed} change={change} />
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
