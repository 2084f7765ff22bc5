/** For the supervisor, which needs the first account and none of the rest of the console. */
export { type Credentials, createFirstUser } from './accounts.ts';
