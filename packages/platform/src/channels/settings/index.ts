/** Public exports of channel settings, a part of the channels. */
export {
  type AnySettings,
  type ChannelSettings,
  type HttpSmsSettings,
  readSettings,
  splitSecrets,
} from './settings.ts';
export {
  type ChannelHealth,
  deleteChannelSettings,
  listChannelSettings,
  readChannelHealth,
  readChannelSettings,
  type ShownSettings,
  writeChannelSettings,
} from './store.ts';
