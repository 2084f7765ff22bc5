/** The result of a provider test, in the terms that messages of the channel use. */
export interface Tested {
  ok: boolean;
  /** connected: nothing was sent, because the test only asked for a connection. */
  outcome: 'connected' | 'sent' | 'retry' | 'failed' | 'bounced' | 'unknown';
  reason: string | null;
  /** The reply code (SMTP) or the status (HTTP) of the answer. */
  status: number | null;
  /** The text of the answer. */
  detail: string;
}
