import type { EventKind } from '../kinds.ts';
import { balances } from './balances.ts';
import { bonus } from './bonus.ts';
import { cart } from './cart.ts';
import { casino } from './casino.ts';
import { custom } from './custom.ts';
import { fundsCredited } from './funds-credited.ts';
import { gameround } from './gameround.ts';
import { lottery } from './lottery.ts';
import { lotteryPurchase } from './lottery-purchase.ts';
import type { BodyOfMessage, EventOfMessage, Message } from './message.ts';
import { messageEvent } from './message-event.ts';
import { payment } from './payment.ts';
import { login, logout, registration } from './player.ts';
import { siteEvent } from './site-event.ts';
import { sports } from './sports.ts';
import { blocksUpdate, consentsUpdate, userUpdate } from './updates.ts';

/** All kinds of events, by name. */
export const messages = {
  registration,
  login,
  user_update: userUpdate,
  consents_update: consentsUpdate,
  blocks_update: blocksUpdate,
  payment,
  lottery_purchase: lotteryPurchase,
  lottery,
  casino,
  bonus,
  gameround,
  sports,
  cart,
  logout,
  balances,
  custom,
  funds_credited: fundsCredited,
  site_event: siteEvent,
  message_event: messageEvent,
} satisfies { [K in EventKind]: Pick<Message<K>, 'kind' | 'schema' | 'read'> };

export type EventOf<K extends EventKind> = { [P in K]: EventOfMessage<(typeof messages)[P]> }[K];
/** Any event, discriminated by `kind`. */
export type PlatformEvent = EventOf<EventKind>;
/** What a sender writes for one kind according to the published schema. */
export type BodyOf<K extends EventKind> = { [P in K]: BodyOfMessage<(typeof messages)[P]> }[K];
