/** What came of the test of a provider, in the words of the messages that it would carry. */
export interface Tested {
  ok: boolean;
  /** connected: nothing was sent, because the test asked for nothing more. */
  outcome: 'connected' | 'sent' | 'retry' | 'failed' | 'bounced' | 'unknown';
  reason: string | null;
  /** What the provider answered: of SMTP its reply code, of HTTP the status. */
  status: number | null;
  /** And said. */
  detail: string;
}
