import { factReading } from './fact.ts';

export const login = (baseCurrency: string) =>
  factReading({
    name: 'login',
    title: 'logins',
    meaning: 'Logins of the player. Logins of staff as the player do not count.',
    from: 'login',
    inForce: `action = 'login' and counted`,
    at: 'at',
    columns: { timestamp: ['moment', 'its time', 'at'], origin: ['text', 'the origin'] },
    baseCurrency,
  });
