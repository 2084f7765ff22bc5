export {
  BrandHeld,
  createKey,
  declareBrands,
  type Held,
  KeyNameTaken,
  listKeys,
  revokeKey,
  writeBrand,
} from './brands.ts';
export { Unreadable, Vault } from './credentials.ts';
export { type BrandDeclaration, readDeclaration } from './declaration.ts';
export { newKey } from './keys.ts';
export { BrandRegistry } from './registry.ts';
export { explain, type SettingError } from './setting-error.ts';
export * from './settings.ts';
export type { ApiKey } from './store.ts';
