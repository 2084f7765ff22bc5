/** Front door of the site stage; see README.md. */
export type { Admission, Caller, SessionRefusal } from './session/caller.ts';
