import type { BrandSettings } from '../../brands/index.ts';

/** A setting that a brand should consider before it goes live, whatever the state of its steps. */
export interface Proposal {
  setting: string;
  value: string;
  message: string;
}

export function proposalsFor(settings: Pick<BrandSettings, 'on_invalid'>): Proposal[] {
  if (settings.on_invalid === 'accept') return [];
  return [
    {
      setting: 'on_invalid',
      value: 'accept',
      message:
        'An invalid event is answered 400 at first, and an operator that publishes in order repeats it for minutes while the others wait. With accept it goes to quarantine at once and holds nobody up.',
    },
  ];
}
