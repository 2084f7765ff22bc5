import type { Micros, OperatorEventKind } from '@croupier/contracts';
import type { Random } from '../random.ts';
import { createAgenda } from './agenda.ts';
import { type Dice, reserialized, writeBody } from './form.ts';
import { type Body, destinations, type Label, type Message } from './message.ts';
import { spoilt } from './spoil.ts';

/** One message to be published to the platform. */
export interface Draft {
  kind: OperatorEventKind;
  user_id: string;
  body: Body;
  label: Label;
  /** Additional delay in microseconds, so that, for example, a settlement arrives before its bet. */
  delay?: Micros | undefined;
  /** Written in the plainest form and sent only once, because something depends on its exact text. */
  plain?: boolean | undefined;
}

const second = 1_000_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Mean time between an event and its message. The interface allows one second. */
const meanPublishDelay = 0.08 * second;

/**
 * Creates the outbox for the casino's messages. It writes each draft as a body, and decides when and how often it is sent. It
 * returns messages in the order of sending, which differs from the order of the events.
 */
export function createOutbox(random: Random, dice: Dice, onSent: (draft: Draft, label: Label) => void) {
  const post = createAgenda<Omit<Message, 'at'>>();
  let number = 0;

  function send(draft: Draft, label: Label, body: string, at: Micros, repeats?: number): number {
    number += 1;
    const { method, path } = destinations[draft.kind];
    const { kind, user_id } = draft;
    post.add(at, { number, method, path, body, kind, label, user_id, ...(repeats === undefined ? {} : { repeats }) });
    onSent(draft, label);
    return number;
  }

  return {
    /** Queues a draft and returns the body as it will be sent. */
    publish(draft: Draft, now: Micros): string {
      const text = draft.plain === true ? JSON.stringify(draft.body) : writeBody(draft.kind, draft.body, dice);
      let at = now + Math.ceil(draft.delay ?? 0) + Math.ceil(random.gap(meanPublishDelay));
      if (dice('late')) at += Math.ceil(5 * minute + random.next() * 20 * hour);
      const first = send(draft, draft.label, text, at);
      if (draft.plain !== true && dice('retry')) {
        const again = dice('retry_reserialized') ? reserialized(text) : text;
        send(draft, 'retry', again, at + Math.ceil(random.skewed(2 * minute, 3 * hour)), first);
      }
      if (dice('invalid')) send(draft, 'invalid', spoilt(draft.kind, draft.body, random), at);
      return text;
    },
    nextAt: post.nextAt,
    take(): Message | undefined {
      const entry = post.take();
      return entry === undefined ? undefined : { ...entry.item, at: entry.at };
    },
    get size() {
      return post.size;
    },
  };
}
