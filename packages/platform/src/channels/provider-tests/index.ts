/** The public interface of provider tests within the channels. They check whether settings work before messages depend on them. */
export { testCall } from './call-test.ts';
export { testEmail } from './email-test.ts';
export type { Tested } from './tested.ts';
