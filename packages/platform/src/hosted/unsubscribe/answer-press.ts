import { stopChannels, undoStop } from './change.ts';
import type { HostedDeps } from './deps.ts';
import { choicesPage, confirmationPage, gonePage } from './pages.ts';
import type { Press } from './press.ts';
import { readPlayer } from './show-page.ts';
import { frameOf, type HeldVisit, type Outcome } from './visit.ts';

/**
 * Carries out a POST, and returns its result: a person's press is redirected to a page that can be reloaded without pressing
 * again; a one-click call (RFC 8058, 3.2: no redirect) gets a plain 200.
 *
 * @throws if the database is unavailable. Then either nothing was changed, or the change was stored and a second press has no
 * effect.
 */
export async function answerPress(deps: HostedDeps, { visit, holder }: HeldVisit, press: Press): Promise<Outcome> {
  const lang: Record<string, string> = visit.chosen === null ? {} : { lang: visit.chosen };
  switch (press.kind) {
    case 'stop': {
      const stopped = await stopChannels(deps, holder, { channel: press.channel, way: 'page' });
      if (stopped.outcome === 'gone') return { status: 410, page: gonePage(frameOf(visit)) };
      const done: Record<string, string> =
        stopped.outcome === 'stopped' ? { done: deps.receipts.write(stopped.receipt) } : {};
      return { status: 303, query: { ...done, ...lang } };
    }
    case 'undo': {
      const receipt = deps.receipts.read(press.receipt, holder, deps.clock());
      const restored = receipt === null ? [] : await undoStop(deps, receipt);
      return {
        status: 303,
        query: restored.length === 0 ? { late: '1', ...lang } : { undone: press.receipt, ...lang },
      };
    }
    case 'one_click': {
      const stopped = await stopChannels(deps, holder, { channel: holder.channel, way: 'one_click' });
      // For a mail program the result is the same: this address gets no more messages.
      if (stopped.outcome === 'gone') return { status: 200, page: gonePage(frameOf(visit)) };
      return { status: 200, page: confirmationPage(frameOf(visit), [holder.channel], null) };
    }
    case 'unclear': {
      const player = await readPlayer(deps, holder);
      if (player === null) return { status: 410, page: gonePage(frameOf(visit)) };
      const frame = frameOf(visit, { playerLanguage: player.language });
      return { status: 400, page: choicesPage(frame, player.channels, { kind: 'not_understood' }) };
    }
  }
}
