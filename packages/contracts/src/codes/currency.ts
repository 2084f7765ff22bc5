import type { Code } from './code.ts';

/** Currencies without an ISO 4217 code that casinos do take. */
const cryptoCurrencies = 'ADA BCH BNB BTC DAI DOGE DOT EOS ETH LTC MBTC SOL TON TRX UBTC USDC USDT XLM XRP'.split(' ');
const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...cryptoCurrencies]);

/** A currency: ISO 4217 or the name of a crypto currency, upper-cased. */
export function readCurrency(text: string): Code {
  // Nearly every currency is written as it should be; this one look-up is all that the hot path does.
  if (currencies.has(text)) return { code: text, known: true };
  const code = text.trim().toUpperCase();
  return { code, known: currencies.has(code) };
}
