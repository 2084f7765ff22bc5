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
        'An invalid event is first answered 400. An operator that publishes in order then retries it for minutes while other events wait. With accept, the event goes to quarantine immediately and blocks no other event.',
    },
  ];
}
