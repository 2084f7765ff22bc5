import type { Code } from './code.ts';

/** Currencies that casinos accept although they have no ISO 4217 code. */
const cryptoCurrencies = 'ADA BCH BNB BTC DAI DOGE DOT EOS ETH LTC MBTC SOL TON TRX UBTC USDC USDT XLM XRP'.split(' ');
const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...cryptoCurrencies]);

/** Reads a currency: an ISO 4217 code, or the name of a cryptocurrency, in upper case. */
export function readCurrency(text: string): Code {
  // Nearly all currencies are already normalized, so the hot path needs only this look-up.
  if (currencies.has(text)) return { code: text, known: true };
  const code = text.trim().toUpperCase();
  return { code, known: currencies.has(code) };
}
