/*
 * Where the page stores the answer to its subscription (`PushSubscriptionResult`) for the worker, which needs it when the
 * browser changes the device's endpoint while no page is open. Both can use the Cache API.
 */
export const cacheName = 'crm-push';
export const renewalAddress = '/crm-push';
