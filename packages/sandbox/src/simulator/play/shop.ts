import type { Casino } from '../casino.ts';
import { asNumber, rateAsNumber } from '../money.ts';
import { type CasinoPlayer, remember } from '../players.ts';

/** The shop: carts of scratch cards and lottery tickets, paid from the wallet or by a deposit on the way. */
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
  const stamp = casino.stamp('cart');
  const cart = {
    cart_id,
    amount,
    bonus_code: '',
    discount_amount: 0,
    type: 'Checkout',
    currency: player.currency,
    device_type: player.device === 'desktop' ? 'desktop' : 'mobile',
    exchange_rate: rateAsNumber(casino.rate(player.currency, stamp.at)),
    origin: player.origin,
    payments: random.chance(0.8)
      ? [{ type: 'Wallet', amount, meta: {} }]
      : [
          { type: 'Deposit', amount: amount - 1, meta: { vendor: 'swiftpay' } },
          { type: 'VirtualCurrency', amount: 1, meta: { coins: 100 } },
        ],
    items,
    meta: { basket: 'web' },
  };
  if (random.chance(0.5)) casino.tell(player, 'cart', { ...cart, status: 'Pending', timestamp: stamp.text });
  const paid = casino.stamp('cart', stamp.at);
  casino.tell(player, 'cart', { ...cart, status: 'Successful', timestamp: paid.text });
  return true;
}
