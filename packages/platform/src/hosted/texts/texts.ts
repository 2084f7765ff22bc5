import type { ConsentType } from '@croupier/contracts';

/**
 * All texts of the hosted pages in one language. `{brand}` is replaced by the brand's name. A test checks that each language has
 * every text, and `{brand}` in the same texts as English.
 */
export interface Texts {
  /** The language's own name. */
  language_name: string;
  dir: 'ltr' | 'rtl';

  title: string;
  lead: string;
  channels: Readonly<Record<ConsentType, { name: string; stop: string }>>;
  on: string;
  off: string;
  unknown: string;
  others: string;
  /** The text of a small button beside the name of a channel. */
  stop: string;
  stop_all: string;
  already_off: string;
  turn_on: string;
  not_understood: string;

  done_title: string;
  /** Followed by a list of channels. */
  done_lead: string;
  next_title: string;
  next_now: string;
  next_under_way: string;
  next_service: string;
  undo_lead: string;
  undo: string;
  /** Followed by a list of channels. */
  undone: string;
  undo_too_late: string;
  all_settings: string;

  invalid_title: string;
  invalid_text: string;
  gone_title: string;
  gone_text: string;
  away_title: string;
  away_text: string;
  away_kept: string;
  try_again: string;
  busy_title: string;
  busy_text: string;

  language: string;
  help: string;
}

/** Inserts the brand's name into a text. */
export function withBrand(text: string, brand: string): string {
  return text.replaceAll('{brand}', brand);
}
