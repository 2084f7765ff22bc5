import { readCountry } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { cleanHtml } from '../notifications/html.ts';
import { chooseLanguage } from './language.ts';
import { plainPart } from './plain-part.ts';
import { SafeHtml } from './safe-html.ts';

type Footers = Brand['settings']['responsible_gambling'];

/**
 * The responsible gambling text for a player's market, in the player's language if the brand has it: that of the operator's
 * market, or of the country, or of `*`. Null if the brand has none for this player. Pure.
 */
export function responsibleGambling(
  footers: Footers,
  player: { market: string | null; country: string | null; language: string | null },
  brandDefault: string,
): SafeHtml | null {
  const markets = [player.market, player.country, '*'].flatMap((market) =>
    market === null ? [] : [readCountry(market).code],
  );
  // A market is the operator's own term. It is read as a country is, so that a text for `uk` is the text of players in GB.
  const market = markets.find((name) => footers.some((footer) => readCountry(footer.market).code === name));
  const ofMarket = footers.filter((footer) => readCountry(footer.market).code === market);
  const languages = ofMarket.map(({ language }) => language);
  const language = chooseLanguage(languages, player.language, brandDefault);
  const chosen = ofMarket.find((footer) => footer.language === language);
  if (chosen === undefined) return null;
  const html = cleanHtml(chosen.text);
  return new SafeHtml(html, plainPart(html));
}
