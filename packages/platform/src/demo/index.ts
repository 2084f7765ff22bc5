/** Public exports of the demo; see README.md. */
export { addDemoContent } from './add-content.ts';
