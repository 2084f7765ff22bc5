/** A bonus as typed. The amount and the currency are empty if the operator decides them. */
export interface TypedBonus {
  bonus_code: string;
  amount: string;
  currency: string;
}

export const emptyBonus: TypedBonus = { bonus_code: '', amount: '', currency: '' };

/** Whether only one of amount and currency is typed. Pure. */
export const isHalf = ({ amount, currency }: TypedBonus) => (amount.trim() === '') !== (currency.trim() === '');

/** Whether the amount is not a decimal number with a point, as the API takes it. Pure. */
export const isWrongAmount = ({ amount }: TypedBonus) => amount.trim() !== '' && !/^\d+(\.\d+)?$/.test(amount.trim());

/** Whether the bonus can be ordered. Pure. */
export const isCompleteBonus = (typed: TypedBonus) =>
  typed.bonus_code.trim() !== '' && !isHalf(typed) && !isWrongAmount(typed);

/** Returns the fields that the API takes. Pure. */
export const bodyOfBonus = ({ bonus_code, amount, currency }: TypedBonus) => ({
  bonus_code: bonus_code.trim(),
  ...(amount.trim() !== '' && { amount: amount.trim(), currency: currency.trim() }),
});
