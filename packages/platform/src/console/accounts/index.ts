/** For the supervisor, which creates the first account and needs nothing else of the console. */
export { type Credentials, createFirstUser } from './accounts.ts';
