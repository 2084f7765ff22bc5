/** Public exports of e-mail, a part of the channels; see README.md. */
export { type BounceKind, bounceKindOf } from './bounce-kind.ts';
export { type ListedEmail, listEmails, readEmail } from './listing.ts';
export { type EmailMessage, type EmailState, emailStates, type NewEmail } from './message.ts';
export { sendgridArgument } from './report-headers.ts';
export { EmailSender, type EmailSenderOptions } from './sender.ts';
export { EmailServers } from './servers.ts';
export { EmailTransport } from './transport.ts';
