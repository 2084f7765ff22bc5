/** Front door of the tests of providers within the channels: whether what is set up works, before messages depend on it. */
export { testCall } from './call-test.ts';
export { testEmail } from './email-test.ts';
export type { Tested } from './tested.ts';
