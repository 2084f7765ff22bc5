/** Front door of the demo; see README.md. */
export { giveDemoSegments } from './demo-segments.ts';
