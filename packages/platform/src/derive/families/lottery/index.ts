export { type DrawFilter, type DrawPlace, type ListedDraw, listDraws } from './draw-list.ts';
export { draws } from './draws.ts';
export { listTickets, type TicketFilter, ticketStates } from './list.ts';
export type { ListedSettlement, ListedTicket, ListedTicketLine } from './listed-ticket.ts';
export { purchaseOfEvent, ticketOfEvent } from './of-event.ts';
export { lotteryPurchases } from './purchases.ts';
export { lotteryTickets } from './tickets.ts';
export { lotteryTotals } from './totals.ts';
