import type { FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../../database/index.ts';
import { readSyncedPlayer } from '../../operator/players/index.ts';
import type { Receipt } from '../links/receipts.ts';
import type { LinkHolder } from '../links/unsubscribe-links.ts';
import { type Channel, channelsOf } from './channels.ts';
import type { HostedDeps } from './deps.ts';
import { choicesPage, confirmationPage, gonePage, type Notice } from './pages.ts';
import { playerIsThere } from './store.ts';
import { frameOf, type HeldVisit, type Outcome, parameterOf } from './visit.ts';

/**
 * The page of a GET. After a press, the browser is redirected here, and the address contains the result of the press:
 *
 *   ?done=<receipt>    the confirmation, as long as its content is true
 *   ?undone=<receipt>  the choices, with the channels that are on again
 *   ?late=1            the choices, with the reason why nothing was undone
 */
export async function showPage(
  deps: HostedDeps,
  { visit, holder }: HeldVisit,
  request: FastifyRequest,
): Promise<Outcome> {
  const given = (name: string) => {
    const text = parameterOf(request, name);
    const receipt = text === null ? null : deps.receipts.read(text, holder, deps.clock());
    return text === null || receipt === null ? null : { text, receipt };
  };
  const done = given('done');
  const player = await readPlayer(deps, holder).catch((error: unknown) => {
    // The content of the receipt was committed, so it can be shown without a query.
    if (done === null || !isDatabaseAway(error)) throw error;
    return 'away' as const;
  });
  if (player === null) return { status: 410, page: gonePage(frameOf(visit)) };

  if (done !== null && (player === 'away' || areOff(player.channels, done.receipt))) {
    const playerLanguage = player === 'away' ? null : player.language;
    const frame = frameOf(visit, { playerLanguage, query: { done: done.text } });
    const undo = done.receipt.restorable.length === 0 ? null : done.text;
    return { status: 200, page: confirmationPage(frame, done.receipt.stopped, undo) };
  }
  if (player === 'away') throw new Error('only a confirmation is shown without the database');
  const undone = given('undone');
  const late = parameterOf(request, 'late') !== null;
  const query: Record<string, string> = undone ? { undone: undone.text } : late ? { late: '1' } : {};
  const frame = frameOf(visit, { playerLanguage: player.language, query });
  const notice = undone ? undoneNotice(player.channels, undone.receipt) : late ? tooLate : null;
  return { status: 200, page: choicesPage(frame, player.channels, notice) };
}

/** Null if there is no such player. */
export async function readPlayer(
  { pool }: Pick<HostedDeps, 'pool'>,
  holder: LinkHolder,
): Promise<{ language: string | null; channels: Channel[] } | null> {
  if (!(await playerIsThere(pool, holder))) return null;
  const { profile, consents } = await readSyncedPlayer(pool, holder.player_id);
  return { language: profile?.language ?? null, channels: channelsOf(consents, holder.channel) };
}

const tooLate: Notice = { kind: 'undo_too_late' };

function areOff(channels: readonly Channel[], { stopped }: Receipt): boolean {
  return channels.every(({ type, state }) => state === 'off' || !stopped.includes(type));
}

function undoneNotice(channels: readonly Channel[], { restorable }: Receipt): Notice | null {
  const on = channels.filter(({ type, state }) => state === 'on' && restorable.includes(type)).map(({ type }) => type);
  return on.length === 0 ? null : { kind: 'undone', channels: on };
}
