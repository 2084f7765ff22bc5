/** Public exports of the publisher. */
export {
  type Acknowledged,
  createPublisher,
  type Publisher,
  type PublisherOptions,
  type Refused,
  type RunOptions,
} from './publisher.ts';
