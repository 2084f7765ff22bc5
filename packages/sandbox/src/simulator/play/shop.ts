import type { Casino } from '../casino.ts';
import { fingerprint } from '../fingerprint.ts';
import type { Label } from '../message.ts';
import { asNumber, type Hundredths, rateAsNumber } from '../money.ts';
import { type CasinoPlayer, remember } from '../players.ts';
import type { CartEntry } from '../truth/cart-book.ts';

/**
 * Buys in the shop: carts of scratch cards and lottery tickets, which are paid from the wallet or by a deposit during
 * checkout.
 */
export function checkOut(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books, plays } = casino;
  const items = Array.from({ length: random.whole(1, 3) }, (_, place) => ({
    id: place + 1,
    type: random.pick(['Scratch', 'Lottery']),
    name: random.pick(['Gold Rush', 'Lucky Cat', 'EuroMillions']),
    description: 'Ticket',
    amount: asNumber(random.whole(1, 8) * 100),
    discount_amount: 0,
    bonus_code: '',
    meta: { place },
  }));
  const amount = items.reduce((sum, item) => sum + item.amount, 0);
  if ((books.player(player.user_id)?.wallet.real ?? 0) < amount * 100) return false;
  books.moveMoney(player.user_id, { real: -amount * 100 });

  const old = player.cartIds[0];
  const cart_id = old !== undefined && plays('cart_id_reused') ? old : 500_000 + casino.nextNumber();
  remember(player.cartIds, cart_id);
  const cart: Cart = {
    cart_id,
    amount: amount * 100,
    items,
    payments: random.chance(0.8)
      ? [{ type: 'Wallet', amount, meta: {} }]
      : [
          { type: 'Deposit', amount: amount - 1, meta: { vendor: 'swiftpay' } },
          { type: 'VirtualCurrency', amount: 1, meta: { coins: 100 } },
        ],
    discount: random.chance(0.1) ? 50 : 0,
  };
  if (random.chance(0.5)) publishCart(casino, player, cart, 'Pending');
  publishCart(casino, player, cart, 'Successful');
  return true;
}

interface Cart {
  cart_id: number;
  amount: Hundredths;
  discount: Hundredths;
  items: unknown[];
  payments: unknown[];
}

/**
 * Records and publishes a cart. Sometimes it also publishes a second message with the same cart, the same timestamp and
 * another amount.
 */
function publishCart(casino: Casino, player: CasinoPlayer, cart: Cart, status: CartEntry['status']): void {
  const { brand, plays, truth } = casino;
  const { at, text: timestamp } = casino.stamp('cart', player.lastCartAt);
  player.lastCartAt = at;
  const rate = casino.rate(player.currency, at);
  const publish = (amount: Hundredths, label: Label, plain: boolean) => {
    const body = {
      cart_id: cart.cart_id,
      amount: asNumber(amount),
      bonus_code: '',
      discount_amount: asNumber(cart.discount),
      type: 'Checkout',
      currency: player.currency,
      device_type: player.device === 'desktop' ? 'desktop' : 'mobile',
      exchange_rate: rateAsNumber(rate),
      origin: player.origin,
      payments: cart.payments,
      items: cart.items,
      meta: { basket: 'web' },
      status,
      timestamp,
    };
    return casino.publish(player, 'cart', body, { label, plain });
  };
  const isContradicted = plays('conflict');
  const text = publish(cart.amount, 'event', isContradicted);
  let amount = cart.amount;
  if (isContradicted) {
    const other = publish(amount + 100, 'conflict', true);
    if (fingerprint(brand.brand_id, 'cart', other) < fingerprint(brand.brand_id, 'cart', text)) amount += 100;
  }
  const { cart_id, discount, items } = cart;
  const entry = { cart_id: String(cart_id), status, at, amount, discount, rate, items: items.length };
  truth.book(player.user_id).carts.published(entry);
}
