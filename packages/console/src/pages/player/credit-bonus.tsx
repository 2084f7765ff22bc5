import { Alert, Button, Fieldset, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { forgetOrder, type Order, sendOrder, unansweredOrder } from '../../api/unanswered-orders.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useText, useWords } from '../../text/text.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';
import { FormDialog, LeaveGuard } from '../../ui/leave-guard.tsx';
import { isSameJson } from '../../ui/same-json.ts';
import { To } from '../../ui/to.tsx';
import { State } from '../../ui/values.tsx';
import { BonusFields } from '../rewards/bonus-fields.tsx';
import { bodyOfBonus, emptyBonus, isCompleteBonus } from '../rewards/typed-bonus.ts';
import type { OfPlayer } from './of-player.ts';
import { RecentBonuses } from './recent-bonuses.tsx';

/** A dialog that credits or offers a bonus to one player. */
export function CreditBonus({ brand, userId }: OfPlayer) {
  const { bonus: words } = useWords(playerActions);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button aria-haspopup="dialog" onClick={open}>
        {words.open}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={words.open} size="lg">
        <CreditForm brand={brand} userId={userId} onClose={close} />
      </FormDialog>
    </>
  );
}

const empty = { ...emptyBonus, isOffer: false, expires: '', note: '' };

function CreditForm({ brand, userId: user_id, onClose }: OfPlayer & { onClose(): void }) {
  const { bonus: words } = useWords(playerActions);
  const { common } = useText();
  const queries = useQueryClient();
  const place = `${brand} ${user_id}`;
  // A second press of the button, or a retry after a lost answer, must not credit the bonus twice.
  const [order, setOrder] = useState<Order<typeof empty>>(
    () => unansweredOrder(place) ?? { typed: empty, key: newRequestKey() },
  );
  // An order that the dialog was opened with stays as it is, even if its first answer arrives meanwhile.
  const [openedWith] = useState(() => unansweredOrder(place)?.key);
  const { typed } = order;
  const change = (to: Partial<typeof empty>) => {
    credit.reset();
    setOrder({ typed: { ...typed, ...to }, key: newRequestKey() });
  };
  const { isOffer, expires, note } = typed;
  const credit = useMutation({
    mutationFn: () =>
      sendOrder(place, order, () =>
        bodyOf(
          api.POST('/api/console/v1/brands/{brand}/players/{user_id}/bonus-credits', {
            params: { path: { brand, user_id } },
            headers: { 'Idempotency-Key': order.key },
            body: {
              ...bodyOfBonus(typed),
              offer: isOffer,
              note: note.trim(),
              ...(expires !== '' && { expires_at: new Date(expires).toISOString() }),
            },
          }),
        ),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'player', user_id] }),
  });
  // The order may have been placed, so it can only be sent again as it is.
  const isUnanswered = !credit.isPending && [openedWith, unansweredOrder(place)?.key].includes(order.key);
  const startOver = () => {
    forgetOrder(place);
    change(empty);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    credit.mutate();
  };
  if (credit.isSuccess) {
    const { intent_id, state } = credit.data;
    return (
      <Stack role="status">
        <Group>
          <Text size="sm">{words.credited}</Text>
          <State of={state} />
          <To to={`rewards/intents/${intent_id}`}>{words.show}</To>
        </Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => change({ ...empty })}>
            {words.again}
          </Button>
          <Button onClick={onClose}>{common.close}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      {/* An order without an answer is kept when the dialog closes (unanswered-orders.ts). */}
      <LeaveGuard isChanged={!isUnanswered && !isSameJson(typed, empty)} isSaving={credit.isPending} />
      <Stack>
        <Text size="sm">{words.about}</Text>
        <RecentBonuses brand={brand} userId={user_id} />
        <Fieldset variant="unstyled" disabled={isUnanswered || credit.isPending}>
          <Stack>
            <BonusFields brand={brand} typed={typed} change={change} />
            <Switch
              label={words.offer}
              checked={isOffer}
              onChange={({ currentTarget }) => change({ isOffer: currentTarget.checked })}
            />
            <TextInput
              type="datetime-local"
              label={words.expires}
              description={words.expiresHint}
              value={expires}
              onChange={({ currentTarget }) => change({ expires: currentTarget.value })}
            />
            <Textarea
              label={words.note}
              description={words.noteHint}
              required
              maxLength={2000}
              value={note}
              onChange={({ currentTarget }) => change({ note: currentTarget.value })}
            />
          </Stack>
        </Fieldset>
        {isUnanswered && (
          <Alert color="yellow" title={words.unanswered}>
            <Stack align="flex-start" gap="xs">
              <Text size="sm">{words.unansweredHint}</Text>
              <Button size="xs" variant="default" onClick={startOver}>
                {words.startOver}
              </Button>
            </Stack>
          </Alert>
        )}
        <DialogEnd error={credit.error} isBusy={credit.isPending} onClose={onClose}>
          <Button type="submit" loading={credit.isPending} disabled={!isCompleteBonus(typed) || note.trim() === ''}>
            {isUnanswered ? words.sendAgain : isOffer ? words.offerIt : words.credit}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
