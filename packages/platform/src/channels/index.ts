/** Public exports of the channels; see README.md. */
export { operatorChannel, smsChannel, webhookChannel } from './calls/call-channels.ts';
export * from './calls/index.ts';
export { elementsOf, listIn, type ReadPath, textAt } from './calls/providers/json-paths.ts';
export { type SweptMessages, sweepCampaignMessages } from './campaign-sweep.ts';
export {
  type CampaignRecall,
  type CampaignRecallOrder,
  type ChannelEffect,
  type MadeMessage,
  type MessageState,
  type MessageTerms,
  type PlayerChannel,
  type RecalledMessage,
  type RecallOrder,
  type ReceivedKind,
  receivedKinds,
  type SessionEnded,
} from './channel.ts';
export * from './email/index.ts';
export { countFailedMessages } from './failed.ts';
export {
  type FoundMessage,
  findLastSms,
  findMessage,
  findMessages,
  isSending,
  type MessageWhereabouts,
  playersWrittenTo,
} from './find-message.ts';
export { gateChannelsOf } from './gate-channels.ts';
export * from './lists/index.ts';
export { postMailChannel, telephoneChannel } from './lists/list-channels.ts';
export { messageLife } from './message-life.ts';
export { messageCounts, messagesWith } from './message-outcomes.ts';
export { readMessageReports, type ShownReport } from './message-reports.ts';
export { type MessageTokenPurpose, MessageTokens, type NamedMessage } from './message-tokens.ts';
export { failedStates } from './newest-messages.ts';
export * from './notifications/index.ts';
export {
  checkSaid,
  type MessageOrder,
  type OrderDeps,
  orderedWords,
  orderMessage,
  preparedWords,
  readForWords,
  sendAll,
  sendWords,
  type Words,
  type WordsReading,
} from './order.ts';
export { type OrderedMessage, readOrderedMessages } from './ordered-messages.ts';
export { emailChannel, pushChannel, siteChannel } from './player-channels.ts';
export * from './provider-tests/index.ts';
export * from './push/index.ts';
export { type ChannelContents, ChannelRegistry, playerChannels } from './registry.ts';
export * from './reports/index.ts';
export { listMessagesElsewhere, type MessageElsewhere, messagesElsewhereOf } from './sent-elsewhere.ts';
export { listSentMessages, type SentChannel, type SentMessage, sentChannels } from './sent-messages.ts';
export * from './settings/index.ts';
export { letListAgain } from './signals/list-again.ts';
export { type NewSignal, type ReadSignal, type SignalKind, type SiteSignal, signalKinds } from './signals/signal.ts';
export { SignalListener } from './signals/signal-listener.ts';
export { SignalReader, type SignalReaderOptions } from './signals/signal-reader.ts';
export { SignalSender } from './signals/signal-sender.ts';
export { endedSince, readSnapshot, writeSignals } from './signals/signal-store.ts';
export { keepSeconds, SignalUpkeep } from './signals/signal-upkeep.ts';
export { countUnreadInbox } from './signals/unread-store.ts';
export { findSuppression, type Suppression, suppress, suppressionReasons, unsuppress } from './suppression-store.ts';
export * from './templates/index.ts';
export * from './tracking/index.ts';
