/*
 * Where the page leaves the answer to its subscription (`PushSubscriptionResult`) for the worker, which needs it when the browser gives the
 * device another endpoint while no page is open. The Cache API is the one storage of both that takes a line to use.
 */
export const cacheName = 'crm-push';
export const renewalAddress = '/crm-push';
