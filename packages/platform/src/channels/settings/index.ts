/** Front door of the settings of channels within the channels. */
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
