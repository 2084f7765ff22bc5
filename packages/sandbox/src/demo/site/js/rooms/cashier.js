import { byId, chips, el, money, toast } from '../dom.js';
import { deposit, house } from '../house.js';
import { dialog } from './dialog.js';

/** A deposit: requested, then approved or declined. The casino publishes each step to the platform. */
export function openCashier() {
  const wrong = el('p', { class: 'wrong', role: 'alert' });
  const { least, most } = house.deposit_limits;
  const other = el('input', { type: 'number', name: 'other', min: least, max: most, step: 1, inputmode: 'numeric' });
  const amounts = chips(
    'Amount',
    'amount',
    [20, 50, 100, 200].map((amount) => [String(amount), money(amount)]),
    '50',
    'even',
  );
  // The marked amount is the one that will be paid.
  const marked = () => amounts.querySelector(':checked');
  let before = marked();
  other.addEventListener('input', () => {
    before = marked() ?? before;
    before.checked = other.value === '';
  });
  amounts.addEventListener('change', () => {
    other.value = '';
  });
  const form = el(
    'form',
    {
      async onsubmit(event) {
        event.preventDefault();
        const given = new FormData(form);
        const amount = Number(given.get('other') || given.get('amount'));
        try {
          const { status } = await deposit(amount, given.get('bank') === 'declines');
          byId('dialog').close();
          toast(
            status === 'Approved'
              ? `${money(amount)} is in your wallet.`
              : 'The bank declined the payment. You were not charged.',
          );
        } catch (error) {
          wrong.textContent = error.message;
        }
      },
    },
    amounts,
    el('label', { class: 'other' }, 'Or another amount, in euros', other),
    chips(
      'The bank',
      'bank',
      [
        ['approves', 'says yes'],
        ['declines', 'says no'],
      ],
      'approves',
    ),
    wrong,
    el('button', { class: 'gold', type: 'submit' }, 'Deposit'),
  );
  dialog('Deposit', 'The card is not real.', form);
}
