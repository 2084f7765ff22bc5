import Type, { type TUnsafe } from 'typebox';
import type { Field } from './field.ts';
import { show } from './show.ts';

const maxLength = 50;
const isoCurrencies = Intl.supportedValuesOf('currency');
/** Currencies without an ISO 4217 code that casinos do take; another one is kept and flagged. */
const cryptoCurrencies = 'ADA BCH BNB BTC DAI DOGE DOT EOS ETH LTC MBTC SOL TON TRX UBTC USDC USDT XLM XRP'.split(' ');
const knownCurrencies: ReadonlySet<string> = new Set([...isoCurrencies, ...cryptoCurrencies]);

/** A currency: ISO 4217 or 3-10 characters, upper-cased; an unknown one is kept and flagged (decisions.md 1, "Codes"). */
export function currency(description: string): Field<string, TUnsafe<string>> {
  return {
    schema: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength, description }),
    fix: 'the ISO 4217 code of the currency, such as EUR',
    presence: 'required',
    read(value, reading, name) {
      if (typeof value !== 'string' || value.length > maxLength)
        return reading.refuse(name, 'code', `must be a currency code such as EUR; ${show(value)} was sent.`);
      if (knownCurrencies.has(value)) return value;
      if (value.includes('\u0000') || !value.isWellFormed())
        return reading.refuse(name, 'code', 'must hold no NUL character; send a currency code such as EUR.');
      const code = value.trim().toUpperCase();
      if (!knownCurrencies.has(code)) reading.flag('unknown_code');
      return code;
    },
  };
}
