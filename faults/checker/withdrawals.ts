import type { SandboxOperator } from '@croupier/sandbox';
import type { Console } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { eventOf } from '../load/event.ts';
import type { Traffic } from '../load/traffic.ts';
import { type Outcome, outcome } from '../outcome.ts';

/** A player who unsubscribed with the link of an e-mail, and the gate's decisions about e-mails to the player. */
export interface Withdrawal {
  user_id: string;
  before: string | undefined;
  /** The decision that was requested as soon as the click was answered. */
  at_once: string | undefined;
  /** The decision that was requested after a look-up in which the operator still answers "opted in". */
  after_look_up: string | undefined;
  /** Whether the withdrawal is in the operator's records at the end. */
  stored: boolean;
}

interface Contactability {
  items: { channel: string; purpose: string; outcome: string }[];
}

/**
 * Presses the one-click button of an unsubscribe link, and then requests a new look-up of the player. The operator must
 * refuse to store consents meanwhile, so that it still answers "opted in".
 */
export async function withdraw(options: {
  installation: Installation;
  console: Console;
  operator: SandboxOperator;
  traffic: Traffic;
  user_id: string;
}): Promise<Withdrawal> {
  const { installation, console, operator, traffic, user_id } = options;
  const emails = async () => {
    const answer = await console.get<Contactability>(`players/${user_id}/contactability`);
    return answer?.items.find(({ channel, purpose }) => channel === 'email' && purpose === 'marketing')?.outcome;
  };
  const before = await emails();
  const { url } = await console.post<{ url: string }>(`players/${user_id}/unsubscribe-link`, { channel: 'email' });
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  // The link begins with the public address from the settings. The test uses the installation's own address instead.
  const pressed = await fetch(new URL(new URL(url).pathname, installation.url), { method: 'POST', body });
  if (pressed.status !== 200) throw new Error(`the one-click press of ${user_id} was answered ${pressed.status}`);
  const at_once = await emails();
  await traffic.publish(eventOf('consents_update', { user_id }));
  const asked = operator.calls.count('userconsents');
  await until('a look-up of consents', () => operator.calls.count('userconsents') > asked, { limitMs: 10_000 });
  return { user_id, before, at_once, after_look_up: await emails(), stored: false };
}

/**
 * P8: a withdrawal applies from the next decision on, even if the operator still answers "opted in". In the end, the
 * operator has stored it.
 */
export function judgeWithdrawals(withdrawals: readonly Withdrawal[]): Outcome {
  const broken = withdrawals.flatMap(({ user_id, before, at_once, after_look_up, stored }) => [
    ...(before === 'allowed' ? [] : [`e-mail to ${user_id} was already ${before} before the withdrawal`]),
    ...(at_once === 'withheld' ? [] : [`${user_id} withdrew; the next decision was ${at_once}`]),
    ...(after_look_up === 'withheld' ? [] : [`${user_id} withdrew; after a look-up the decision was ${after_look_up}`]),
    ...(stored ? [] : [`the operator never stored the withdrawal of ${user_id}`]),
  ]);
  return outcome('P8', 'a withdrawal applies immediately and stays', { withdrawals: withdrawals.length }, broken);
}
