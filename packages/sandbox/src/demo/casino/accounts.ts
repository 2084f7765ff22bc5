import { randomBytes } from 'node:crypto';
import { type Books, consentTypes, type PlayerChanges } from '../../operator/index.ts';
import { type EventPublisher, origin } from './event-publisher.ts';

/**
 * The casino's accounts: three long-standing players, the brand's test user, and visitors who sign up. Their sessions are in
 * the operator's records, where the platform looks them up (POST /authenticate).
 */
export interface Account {
  user_id: string;
  name: string;
  about: string;
}

export interface SignUp {
  first_name: string;
  last_name: string;
  /** Whether all channels start opted in (true) or all start opted out (false). */
  offers: boolean;
}

export type Accounts = ReturnType<typeof createAccounts>;

const sessionSeconds = 8 * 3600;
/** Accounts that visitors can open until the sandbox restarts. */
const signUpLimit = 1000;
const welcomeGift = 5_000;

const regulars = [
  {
    user_id: 'maria',
    first_name: 'Maria',
    last_name: 'Borg',
    city: 'Sliema',
    real: 24_000,
    about: 'Plays on weekends',
  },
  {
    user_id: 'jonas',
    first_name: 'Jonas',
    last_name: 'Lindström',
    city: 'Valletta',
    real: 8_550,
    about: 'Likes lanterns',
  },
  { user_id: 'aisha', first_name: 'Aisha', last_name: 'Camilleri', city: 'Mdina', real: 131_000, about: 'VIP' },
] as const;

export function createAccounts(books: Books, events: EventPublisher, testUserId: string) {
  let signedUp = 0;

  function open(userId: string, details: PlayerChanges['details'], more: PlayerChanges = {}): void {
    books.addPlayer(userId, {
      details: { country: 'MT', currency: 'EUR', language: 'en', market: 'mt', origin, ...details },
      consents: more.consents ?? consentsAll(true),
      wallet: { currency: 'EUR', real: welcomeGift, bonus: 0, ...more.wallet },
    });
  }

  for (const { user_id, first_name, last_name, city, real } of regulars) {
    open(user_id, { first_name, last_name, city }, { wallet: { real } });
  }
  open(testUserId, { first_name: 'Tess', last_name: 'Tester' });

  return {
    /** Players who can sign in without signing up. */
    regulars: regulars.map(
      ({ user_id, first_name, last_name, about }): Account => ({ user_id, name: `${first_name} ${last_name}`, about }),
    ),

    /** @returns the new player's id, or null if too many visitors have signed up. */
    signUp({ first_name, last_name, offers }: SignUp): string | null {
      if (signedUp >= signUpLimit) return null;
      signedUp += 1;
      // Random, not a counter: the platform still has the players of earlier runs of the sandbox.
      const userId = `guest-${randomBytes(4).toString('hex')}`;
      const registration_date = new Date().toISOString();
      const details = { first_name, last_name, registration_date, email: `${userId}@mail.test` };
      open(userId, details, { consents: consentsAll(offers) });
      events.publish(userId, 'registration', {
        timestamp: registration_date,
        url_referer: 'https://www.demo-casino.test/',
      });
      return userId;
    },

    /** @returns the session id, or null if there is no such player. */
    signIn(userId: string, userAgent: string): string | null {
      if (!isOurs(userId) || books.player(userId) === undefined) return null;
      const sid = randomBytes(24).toString('base64url');
      books.signIn(userId, sid, sessionSeconds);
      events.publish(userId, 'login', { ip_address: '198.51.100.7', user_agent: userAgent.slice(0, 250) });
      return sid;
    },

    signOut(sid: string): void {
      const userId = books.userOfSid(sid);
      if (userId !== undefined && books.signOut(sid)) events.publish(userId, 'logout');
    },

    /**
     * Starts or ends a self-exclusion immediately. In a real casino, a player cannot end an exclusion with a click. This casino
     * allows it, so that a demo can show both states.
     */
    exclude(userId: string, active: boolean): void {
      books.change(userId, { blocks: [{ type: 'Excluded', active, note: active ? 'asked for by the player' : '' }] });
    },

    isOurs,
  };

  /**
   * Returns whether visitors can sign in as the player. The records also contain the players of the simulated traffic, but
   * visitors cannot sign in as one of them.
   */
  function isOurs(userId: string): boolean {
    return userId.startsWith('guest-') || userId === testUserId || regulars.some((one) => one.user_id === userId);
  }
}

function consentsAll(opted_in: boolean) {
  return consentTypes.map((type) => ({ type, opted_in }));
}
