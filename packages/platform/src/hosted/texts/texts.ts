import type { ConsentType } from '@croupier/contracts';

/**
 * Everything that the hosted pages say, in one language. `{brand}` stands for the name of the brand. A test holds all
 * languages against each other: none lacks a text, and `{brand}` stands where it stands in English.
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
  /** On a small button beside the name of a channel. */
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

/** Puts the brand's name into a text. */
export function withBrand(text: string, brand: string): string {
  return text.replaceAll('{brand}', brand);
}
