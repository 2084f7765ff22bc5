import type { Pool } from 'pg';
import { afterAll } from 'vitest';
import type { Brand } from '../../../src/brands/index.ts';
import { createEmails } from '../../../src/channels/email/create.ts';
import { EmailSender, EmailTransport, MessageTokens, type NewEmail, readEmail } from '../../../src/channels/index.ts';
import { timestamptzText, transaction } from '../../../src/database/index.ts';
import { Gate } from '../../../src/gate/index.ts';
import { listUnsubscribeHeaders, UnsubscribeLinks } from '../../../src/hosted/index.ts';
import { createBrand, testVault } from '../../brand.ts';
import { noon, type TestClock, testClock } from '../../clock.ts';
import { makeKnown } from '../../gate/setup-gate.ts';
import { testLog } from '../../log.ts';
import { insertPlayer } from '../../operator/setup-sync.ts';
import { type SmtpService, startSmtp } from './setup-smtp.ts';

/** A brand whose e-mails go to a test SMTP server, players who may be contacted, and a sender. */
export interface EmailSetup {
  server: SmtpService;
  brand: Brand;
  clock: TestClock;
  gate: Gate;
  links: UnsubscribeLinks;
  sender: EmailSender;
  /** @param address default: `<n>@players.example` @returns player_id */
  player(address?: string | null): Promise<number>;
  /** An e-mail for the player. @returns message_id */
  email(playerId: number, more?: Partial<NewEmail>): Promise<number>;
  /** Makes waiting e-mails due, and sends them. */
  run(sender?: EmailSender): Promise<void>;
  read(messageId: number): Promise<NonNullable<Awaited<ReturnType<typeof readEmail>>>>;
  /** A sender that knows the brand without `email` in its settings. */
  withoutServer(): EmailSender;
  another(gate?: Pick<Gate, 'mayContact' | 'stillAllows'>): EmailSender;
}

export const testTokens = new MessageTokens({ secrets: ['a secret for tests'] });

export const emailSettings = (server: Pick<SmtpService, 'port'>) => ({
  host: '127.0.0.1',
  port: server.port,
  security: 'none',
  from_address: 'casino@malta.example',
  from_name: 'Malta Casino',
  call_timeout_ms: 2_000,
});

export async function setupEmail(
  pool: Pool,
  {
    email = {},
    settings = {},
    server: given,
  }: {
    email?: Record<string, unknown>;
    settings?: Record<string, unknown>;
    server?: SmtpService;
  } = {},
): Promise<EmailSetup> {
  const server = given ?? (await startSmtp());
  const { brand } = await createBrand(pool, { email: { ...emailSettings(server), ...email }, ...settings });
  const { brand_id } = brand;
  const clock = testClock(noon);
  const gate = new Gate({ clock: clock.now, brands: { byId: () => brand } });
  const links = new UnsubscribeLinks({ publicUrl: 'https://crm.example', secrets: ['a secret for tests'] });
  const senders: EmailSender[] = [];
  const make = (asked: Pick<Gate, 'mayContact' | 'stillAllows'>, of: Brand) => {
    const sender = new EmailSender({
      pool,
      vault: testVault,
      gate: asked,
      transport: new EmailTransport(),
      tokens: testTokens,
      publicUrl: 'https://crm.example',
      clock: clock.now,
      log: testLog,
      random: () => 0.5,
      brands: { byId: () => of, all: () => [of] },
      unsubscribeHeaders: (brandId, player_id) =>
        listUnsubscribeHeaders(links.link({ brand_id: brandId, player_id, channel: 'Email' })),
    });
    senders.push(sender);
    return sender;
  };
  const another: EmailSetup['another'] = (asked = gate) => make(asked, brand);
  const sender = another();
  afterAll(async () => {
    for (const one of senders) await one.stop();
    await server.stop();
  });
  let players = 0;
  return {
    server,
    brand,
    clock,
    gate,
    links,
    sender,
    another,
    withoutServer: () => make(gate, { ...brand, email: null }),
    async player(address = `${++players}@players.example`) {
      const id = await insertPlayer(pool, brand_id, `reader-${++players}`);
      await makeKnown(pool, brand_id, [id], timestamptzText(clock.now()));
      await pool.query('update player_profile set email = $2 where player_id = $1', [id, address]);
      return id;
    },
    async email(player_id, more = {}) {
      const message: NewEmail = {
        brand_id,
        player_id,
        purpose: 'marketing',
        expires_at: null,
        campaign_id: null,
        request_key: null,
        created_by: 'a test',
        subject: 'Ten spins',
        html: '<!doctype html><html><body><p>For you, ümlaut</p></body></html>',
        text: 'For you, ümlaut',
        template: null,
        ...more,
      };
      const [made] = await transaction(pool, (tx) => createEmails(tx, gate, [message], clock.now()));
      if (made === undefined) throw new Error('no e-mail was made');
      return made.message_id;
    },
    async run(by = sender) {
      await pool.query(`update email_message set due_at = now() where state = 'waiting' and claim is null`);
      while ((await by.runOnce()).claimed > 0) await by.idle();
    },
    async read(messageId) {
      const row = await readEmail(pool, brand_id, messageId);
      if (row === null) throw new Error(`there is no e-mail ${messageId}`);
      return row;
    },
  };
}
