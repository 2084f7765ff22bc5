/** Shows the sandbox's records and traffic. Loads them again every two seconds while the page is visible. */
const every = 2000;
const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const counts = new Intl.NumberFormat('en');
const element = (id) => document.getElementById(id);

function cell(text, className = '') {
  const made = document.createElement('td');
  made.textContent = text;
  made.className = className;
  return made;
}

function fill(id, rows, none) {
  const body = element(id);
  body.replaceChildren(
    ...rows.map((cells) => {
      const row = document.createElement('tr');
      row.append(...cells);
      return row;
    }),
  );
  if (rows.length === 0) body.append(cell(none, 'quiet'));
}

function showFigures(live) {
  const figures = [
    ['Events acknowledged', counts.format(live.published.acknowledged)],
    ['Not acknowledged yet', counts.format(live.under_way)],
    ['Failed attempts', counts.format(live.published.failed_attempts)],
    ['Events per second', live.rate],
    ['Players in the records', counts.format(live.books.players)],
    ['Bonuses credited', counts.format(live.books.credits)],
  ];
  element('figures').replaceChildren(
    ...figures.map(([name, value]) => {
      const figure = document.createElement('div');
      const term = document.createElement('dt');
      const description = document.createElement('dd');
      term.textContent = name;
      description.textContent = value;
      figure.append(term, description);
      return figure;
    }),
  );
}

/** The platform runs on the sandbox's host. In a browser on another machine, that is the host from which this page was loaded. */
function linkPlatform(platformUrl) {
  const url = new URL(platformUrl);
  if (['127.0.0.1', 'localhost', '0.0.0.0'].includes(url.hostname)) url.hostname = location.hostname;
  for (const link of document.querySelectorAll('[data-platform]')) {
    link.href = new URL(link.dataset.platform, url);
  }
}

function show(live) {
  linkPlatform(live.platform_url);
  showFigures(live);
  fill(
    'recent',
    live.recent.map((message) => [
      cell(message.kind),
      cell(message.user_id),
      cell(message.note),
      cell(message.label, message.label === 'event' ? 'quiet' : 'alarm'),
    ]),
    'nothing yet',
  );
  fill(
    'rounds',
    live.rounds.map((round) => [
      cell(round.user_id),
      cell(round.game),
      cell(`${amounts.format(round.stake)} ${round.currency}`, 'number'),
      cell(`${amounts.format(round.win)} ${round.currency}`, 'number'),
      cell(round.state, round.state === 'corrected' ? 'alarm' : 'quiet'),
    ]),
    'nothing yet',
  );
  const [shown, total] = [live.players.length, live.players_total].map((count) => counts.format(count));
  element('players-shown').textContent =
    shown === total
      ? `${total} players, newest activity first.`
      : `${shown} of ${total} players, newest activity first.`;
  fill(
    'players',
    live.players.map((player) => [
      cell(player.user_id),
      cell(`${player.name} · ${player.country}`),
      cell(`${player.consents.length} of 6`, 'quiet'),
      cell(`${amounts.format(player.wallet.real)} ${player.wallet.currency}`, 'number'),
      cell(amounts.format(player.wallet.bonus), 'number'),
      cell(player.state, player.state === 'active' ? 'quiet' : 'alarm'),
    ]),
    'no players yet',
  );
  fill(
    'calls',
    live.calls.map((row) => [cell(row.endpoint), cell(counts.format(row.count), 'number')]),
    'none yet',
  );
}

async function refresh() {
  try {
    if (!document.hidden) show(await (await fetch('/live.json')).json());
    element('status').textContent = '';
  } catch {
    element('status').textContent = 'The sandbox does not answer.';
  }
  setTimeout(refresh, every);
}

refresh();
