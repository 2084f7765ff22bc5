import type { BrandSettings } from '../../brands/index.ts';
import type { LocalizedText } from '../../language.ts';
import { noteText } from './note-texts.ts';

/** A setting that a brand should consider before it goes live, regardless of the state of its steps. */
export interface Proposal {
  setting: string;
  value: string;
  message: LocalizedText;
}

export function proposalsFor(settings: Pick<BrandSettings, 'on_invalid'>): Proposal[] {
  if (settings.on_invalid === 'accept') return [];
  return [
    {
      setting: 'on_invalid',
      value: 'accept',
      message: noteText((texts) => texts.onInvalid),
    },
  ];
}
