/** Texts of lists. */
const en = {
  fresh: (count: string) => `${count} new`,
  freshHint: 'Show new rows',
  whole: (count: string, isOne: boolean) => (isOne ? '1 row' : `${count} rows`),
  part: (count: string) => `${count} rows loaded; more load while you scroll`,
  searched: 'Nothing found so far. Older entries have not been searched yet.',
  searchOn: 'Search further',
  all: 'All',
  clearFilters: 'Clear filters',
  sortBy: (title: string) => `Sort by ${title}`,
  selected: 'Selected',
  details: 'Details',
  follow: 'Follow',
  followHint: 'New rows appear at the top while the list is not scrolled',
  density: 'Row height',
  densities: { compact: 'Compact', normal: 'Normal', relaxed: 'Relaxed' },
};

const de: typeof en = {
  fresh: (count: string) => `${count} neu`,
  freshHint: 'Neue Einträge anzeigen',
  whole: (count: string, isOne: boolean) => (isOne ? '1 Zeile' : `${count} Zeilen`),
  part: (count: string) => `${count} Zeilen geladen; weitere folgen beim Blättern`,
  searched: 'Bisher wurde nichts gefunden. Ältere Einträge wurden noch nicht durchsucht.',
  searchOn: 'Weiter suchen',
  all: 'Alle',
  clearFilters: 'Filter entfernen',
  sortBy: (title: string) => `Nach ${title} sortieren`,
  selected: 'Ausgewählt',
  details: 'Einzelheiten',
  follow: 'Automatisch aktualisieren',
  followHint: 'Neue Einträge erscheinen oben, solange Sie nicht geblättert haben',
  density: 'Zeilenhöhe',
  densities: { compact: 'Eng', normal: 'Normal', relaxed: 'Weit' },
};

export const lists = { en, de };
