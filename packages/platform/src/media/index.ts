/** Public exports of the media library; see README.md. */
export { largestImage } from './image.ts';
export { addMedia, digestOf, UnfitMedia } from './library.ts';
export { type MediaRouteDeps, mediaPath, mediaRoutes, mediaUrl } from './routes.ts';
export { deleteMedia, findMedia, listMedia, type MediaFile, mediaUsed } from './store.ts';
