import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import type { PostedDevice } from '../../packages/platform/src/channels/push/index.ts';
import {
  answer,
  type TakenPush as Decrypted,
  type PushService,
  startPushService,
} from '../../packages/platform/testing/channels/push/setup-push-service.ts';
import type { Site } from './site.ts';
import { Later, type Troubled, Troubles } from './troubles.ts';
import type { Visitor } from './visits.ts';

/*
 * Push services, and the devices of players. Each device has its own keys, and the services decrypt what they receive, as browsers do.
 * Some devices are gone after a few pushes.
 */

/**
 * What the service answered within the time limit of a call: `accepted` (201), `refused` (429 or 500), `gone` (410), or `none`,
 * also if the connection broke.
 */
export type PushAnswer = 'accepted' | 'refused' | 'gone' | 'none';

/** A push that a push service received completely, and decrypted. */
export interface TakenPush {
  /** `<campaign> <step> <payment_id>`, as the template writes it. */
  key: string;
  device: string;
  /** Milliseconds since the epoch. */
  at: number;
  answer: PushAnswer;
}

export interface Device {
  name: string;
  user_id: string;
  subscription_id: number;
}

export interface PushServices extends AsyncDisposable {
  /** For the setting `push.private_origins`. */
  origins: readonly string[];
  taken: readonly TakenPush[];
  /** Pushes with a wrong signature or encryption, or for an unknown device. */
  refused(): string[];
  /** Answers that a device is gone are no faults. */
  counts: Readonly<Record<'push', Troubled>>;
  /** From now on, they work without faults. Devices stay gone. */
  heal(): void;
  /** Creates a device. @param goneAfter if given, the device is gone after this many pushes were accepted */
  device(name: string, goneAfter?: number): PostedDevice;
}

/** Players subscribe devices of several services, because a service that does not answer gets one call at a time. */
const serviceCount = 3;
/**
 * Shares of the completely received pushes. `silent` never answers, `late` answers after the time limit of a call, `cut` closes the
 * connection, and `twice` answers slowly, and then again: all of these take the push. `broken` (500) and `busy` (429) do not take it. A
 * push is refused at most twice, because after the fourth time the platform waits for five minutes.
 */
const shares = { silent: 0.05, late: 0.04, cut: 0.08, twice: 0.08, broken: 0.1, busy: 0.06 };
const sharesAfterRefusals: typeof shares = { ...shares, broken: 0, busy: 0 };
const mostRefusals = 2;
/** Longer than the time limit of a call (10 s). */
const lateMs = 12_000;
const slowMs = 1_000;

export async function startPushServices(seed: string): Promise<PushServices> {
  const taken: TakenPush[] = [];
  const troubles = new Troubles(`push/${seed}`, ['push']);
  const later = new Later();
  /** How many pushes each device that will be gone still accepts. */
  const left = new Map<string, number>();
  const services: PushService[] = [];
  for (let n = 0; n < serviceCount; n++) services.push(await startPushService({ answerTo }));
  let devices = 0;

  function answerTo({ path, payload: { title: key } }: Decrypted, response: ServerResponse): void {
    const device = path.split('/').at(-1) ?? '';
    const take = (given: PushAnswer) => void taken.push({ key, device, at: Date.now(), answer: given });
    const remaining = left.get(device);
    if (remaining === 0) {
      take('gone');
      answer(410)(response);
      return;
    }
    const refusals = taken.filter((one) => one.device === device && one.key === key && one.answer === 'refused');
    const fault = troubles.draw('push', refusals.length < mostRefusals ? shares : sharesAfterRefusals);
    const accept = () => {
      if (remaining !== undefined) left.set(device, remaining - 1);
      take('accepted');
    };
    switch (fault) {
      case 'silent':
        take('none');
        return;
      case 'late':
        take('none');
        later.run(lateMs, () => answer(201)(response));
        return;
      case 'cut':
        take('none');
        response.socket?.destroy();
        return;
      case 'twice':
        accept();
        // Both at once: an answer that arrives after the next call on the same connection cannot be told from an answer to that call.
        later.run(slowMs, () => response.socket?.write(rawAnswer(201) + rawAnswer(500)));
        return;
      case 'broken':
        take('refused');
        answer(500)(response);
        return;
      case 'busy':
        take('refused');
        answer(429)(response);
        return;
      default:
        accept();
        answer(201)(response);
    }
  }

  return {
    origins: services.map(({ origin }) => origin),
    taken,
    refused: () => services.flatMap(({ refused }) => refused),
    counts: troubles.counts,
    heal: () => troubles.heal(),
    device(name, goneAfter) {
      if (goneAfter !== undefined) left.set(name, goneAfter);
      return (services[devices++ % serviceCount] as PushService).device(name);
    },
    async [Symbol.asyncDispose]() {
      later[Symbol.dispose]();
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

function rawAnswer(status: number): string {
  return `HTTP/1.1 ${status} Answered\r\ncontent-length: 0\r\n\r\n`;
}

/**
 * Subscribes devices: none for every fifth player, and one or two in turn for the others. Of every fifth player, another fifth, the last
 * device is soon gone. Call it when the players are signed in.
 */
export async function subscribeDevices(
  { services, site, pool }: { services: PushServices; site: Site; pool: Pool },
  visitors: readonly Pick<Visitor, 'user_id' | 'sid'>[],
): Promise<Device[]> {
  const devices = visitors.flatMap(({ user_id, sid }, n) => {
    const count = n % 5 === 4 ? 0 : 1 + (n % 2);
    return Array.from({ length: count }, (_, number) => {
      const name = `${user_id}-${number}`;
      const isGone = n % 5 === 2 && number === count - 1;
      return { name, user_id, sid, posted: services.device(name, isGone ? 1 + (n % 3) : undefined) };
    });
  });
  await Promise.all(
    devices.map(({ sid, posted }) => site.insist(sid, 'POST', 'Crm/PushSubscription', { Subscription: posted })),
  );
  const { rows } = await pool.query<{ subscription_id: number; hash: string }>(
    `select subscription_id, encode(endpoint_hash, 'hex') as hash from push_subscription`,
  );
  const idOf = new Map(rows.map(({ hash, subscription_id }) => [hash, subscription_id]));
  return devices.map(({ name, user_id, posted }) => {
    const subscription_id = idOf.get(createHash('sha256').update(posted.endpoint).digest('hex'));
    if (subscription_id === undefined) throw new Error(`the device ${name} is not stored`);
    return { name, user_id, subscription_id };
  });
}
