export { eraseDerived, withoutRebuilds } from './erase.ts';
export { noteLeftovers } from './leftovers.ts';
