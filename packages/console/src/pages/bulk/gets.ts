import { bulk } from '../../text/bulk.ts';
import { messages } from '../../text/messages.ts';
import { useLanguage, useWords } from '../../text/text.tsx';
import { moneyText } from '../../ui/money.tsx';
import type { Action } from './queries.ts';

/** Returns a function that says in one line what each player of an action gets: `Offer WELCOME 10 EUR`, `Push (spring)`. */
export function useGets(): (action: Pick<Action, 'kind' | 'does'>) => string {
  const { one: words } = useWords(bulk);
  const { language } = useLanguage();
  const { channels } = useWords(messages);
  return ({ kind, does }) => {
    if (kind === 'offer')
      return [
        words.offer,
        does.bonus_code,
        does.amount && moneyText(String(does.amount), String(does.currency), language),
      ]
        .filter(Boolean)
        .join(' ');
    const { template } = (does.says ?? {}) as { template?: string };
    const channel = channels[does.channel as keyof typeof channels] ?? String(does.channel);
    return template === undefined ? channel : `${channel} (${template})`;
  };
}
