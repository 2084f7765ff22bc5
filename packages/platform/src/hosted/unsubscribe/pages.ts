import type { ConsentType } from '@croupier/contracts';
import { type Html, html } from '../page/html.ts';
import { brokenLinkIcon, channelIcons, checkIcon, noticeIcon, waitIcon } from '../page/icons.ts';
import { type Frame, type Page, pageOf, textOf } from '../page/page.ts';
import { languages } from '../texts/languages.ts';
import { withBrand } from '../texts/texts.ts';
import type { Channel } from './channels.ts';

/* The pages of a link. Each works without scripts: a change is a form with one button, everything else is a link. */

/** The notice above the choices, if any. */
export type Notice =
  | { kind: 'not_understood' }
  | { kind: 'undo_too_late' }
  | { kind: 'undone'; channels: readonly ConsentType[] };

/** The channels with their state; the link's channel comes first. */
export function choicesPage(frame: Frame, channels: readonly Channel[], notice: Notice | null): Page {
  const text = textOf(frame);
  const [first, ...others] = channels;
  const anyLeft = channels.some(({ state }) => state !== 'off');
  const body = html`${notice === null ? null : noticeBox(frame, notice)}
<h1>${text('title')}</h1>
${anyLeft && html`<p class="lead">${text('lead')}</p>`}
<form method="post">
<input type="hidden" name="lang" value="${frame.language}">
${first === undefined ? null : ownChannel(frame, first)}
<section aria-labelledby="others">
<h2 id="others">${text('others')}</h2>
<ul class="channels">${others.map((channel) => html`<li class="channel">${channelRow(frame, channel)}</li>`)}</ul>
${anyLeft && html`<button class="wide" name="stop" value="all">${text('stop_all')}</button>`}
</section>
</form>
${channels.some(({ state }) => state === 'off') && html`<p class="quiet after">${text('turn_on')}</p>`}`;
  return pageOf(frame, text('title'), body);
}

function ownChannel(frame: Frame, { type, state }: Channel): Html {
  const { name, stop } = channelTexts(frame, type);
  return html`<section class="panel" aria-labelledby="own">
<div class="channel">${channelIcons[type]}<h2 class="name" id="own">${name}</h2>${stateOf(frame, state)}</div>
${
  state === 'off'
    ? html`<p>${textOf(frame)('already_off')}</p>`
    : html`<button class="primary" name="stop" value="${type}">${stop}</button>`
}
</section>`;
}

function channelRow(frame: Frame, { type, state }: Channel): Html {
  const { name } = channelTexts(frame, type);
  const button = html`<button name="stop" value="${type}">${textOf(frame)('stop')}<span class="hidden"> ${name}</span></button>`;
  return html`${channelIcons[type]}<span class="name">${name}</span>${stateOf(frame, state)}${state !== 'off' && button}`;
}

function stateOf(frame: Frame, state: Channel['state']): Html {
  return html`<span class="state ${state}">${textOf(frame)(state)}</span>`;
}

/**
 * The result of a press.
 *
 * @param undo the receipt that the button sends; null if nothing can be undone
 */
export function confirmationPage(frame: Frame, stopped: readonly ConsentType[], undo: string | null): Page {
  const text = textOf(frame);
  const body = html`<span class="medallion done">${checkIcon}</span>
<h1>${text('done_title')}</h1>
<p class="lead" id="stopped">${text('done_lead')}</p>
${channelList(frame, stopped)}
<section aria-labelledby="next">
<h2 id="next">${text('next_title')}</h2>
<ul class="steps">
<li>${text('next_now')}</li>
<li>${text('next_under_way')}</li>
<li>${text('next_service')}</li>
</ul>
</section>
${
  undo !== null &&
  html`<form method="post" class="undo">
<input type="hidden" name="lang" value="${frame.language}">
<p class="quiet">${text('undo_lead')}</p>
<button name="undo" value="${undo}">${text('undo')}</button>
</form>`
}
<p class="after"><a href="?lang=${frame.language}">${text('all_settings')}</a></p>`;
  return pageOf(frame, text('done_title'), body);
}

function noticeBox(frame: Frame, notice: Notice): Html {
  const channels =
    notice.kind === 'undone' ? notice.channels.map((type) => channelTexts(frame, type).name).join(', ') : '';
  return html`<p class="notice" role="status">${noticeIcon}<span>${textOf(frame)(notice.kind)} ${channels}</span></p>`;
}

function channelList(frame: Frame, types: readonly ConsentType[]): Html {
  const items = types.map((type) => html`<li>${channelIcons[type]}<span>${channelTexts(frame, type).name}</span></li>`);
  return html`<ul class="stopped" aria-labelledby="stopped">${items}</ul>`;
}

function channelTexts({ look, language }: Frame, type: ConsentType): { name: string; stop: string } {
  const { name, stop } = languages[language].channels[type];
  return { name, stop: withBrand(stop, look.name ?? '') };
}

/** The page for an invalid token. It says nothing about players, because the token identifies none. */
export function invalidPage(frame: Frame): Page {
  return messagePage(frame, 'invalid', brokenLinkIcon);
}

/** The page for a valid link of a player who does not exist, or was erased. */
export function gonePage(frame: Frame): Page {
  return messagePage(frame, 'gone', checkIcon);
}

export function busyPage(frame: Frame): Page {
  return messagePage(frame, 'busy', waitIcon);
}

/** @param fields the press that could not be stored: the button sends it again. Null if only the page was requested. */
export function awayPage(frame: Frame, fields: Readonly<Record<string, string>> | null): Page {
  const text = textOf(frame);
  if (fields === null) return messagePage(frame, 'away', waitIcon);
  const hidden = Object.entries({ ...fields, lang: frame.language }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const again = html`<form method="post">${hidden}<button class="primary">${text('try_again')}</button></form>`;
  return messagePage(frame, 'away', waitIcon, html`<p>${text('away_kept')}</p>${again}`);
}

function messagePage(
  frame: Frame,
  about: 'invalid' | 'gone' | 'busy' | 'away',
  icon: Html,
  more: Html | null = null,
): Page {
  const text = textOf(frame);
  const title = text(`${about}_title`);
  const body = html`<span class="medallion">${icon}</span>
<h1>${title}</h1>
<p class="lead">${text(`${about}_text`)}</p>
${more}`;
  return pageOf(frame, title, body);
}
