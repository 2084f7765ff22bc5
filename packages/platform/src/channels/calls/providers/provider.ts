import type { Micros } from '@croupier/contracts';
import type { Brand } from '../../../brands/index.ts';
import type { AnswerReading } from '../judge.ts';

/** One call, ready to be sent. */
export interface ProviderCall extends AnswerReading {
  url: string;
  headers: Record<string, string>;
  body: string;
  mayBePrivate: boolean;
}

/** The fields of a message that every provider gets. */
export interface CallSubject {
  message_id: number;
  brand: Pick<Brand, 'code' | 'settings'>;
  user_id: string;
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  at: Micros;
}
