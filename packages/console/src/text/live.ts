/** Texts of the live view. */
const en = {
  title: 'Live',
  about: 'Players, game rounds and events as they happen. Nothing is sampled.',
  events: 'Events',
  players: 'Players',
  rounds: 'Game rounds',
  noEvents: 'No event matches. Clear the filters, or send a first event with an API key.',
  noPlayers: 'No player matches. Clear the filters, or send a first event with an API key.',
  noRounds: 'No round matches. Clear the filters.',
  kind: 'Kind',
  country: 'Country',
  latest: 'Latest event',
  at: 'Time',
  vendor: 'Vendor id',
  gameId: 'Game id',
  status: 'State',
};

const de: typeof en = {
  title: 'Live',
  about: 'Spieler, Spielrunden und Ereignisse in Echtzeit. Nichts wird ausgelassen.',
  events: 'Ereignisse',
  players: 'Spieler',
  rounds: 'Spielrunden',
  noEvents:
    'Kein Ereignis passt. Entfernen Sie die Filter, oder senden Sie ein erstes Ereignis mit einem API-Schlüssel.',
  noPlayers: 'Kein Spieler passt. Entfernen Sie die Filter, oder senden Sie ein erstes Ereignis.',
  noRounds: 'Keine Runde passt. Entfernen Sie die Filter.',
  kind: 'Art',
  country: 'Land',
  latest: 'Letztes Ereignis',
  at: 'Zeit',
  vendor: 'Anbieter-ID',
  gameId: 'Spiel-ID',
  status: 'Zustand',
};

export const live = { en, de };
