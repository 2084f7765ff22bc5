/*
 * Where the page stores the answer to its subscription (`PushSubscriptionResult`) for the worker, which needs it when the
 * browser changes the device's endpoint while no page is open. The Cache API is available to both, and takes one line.
 */
export const cacheName = 'crm-push';
export const renewalAddress = '/crm-push';
