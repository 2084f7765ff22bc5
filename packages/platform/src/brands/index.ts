export {
  createKey,
  KeyNameTaken,
  KeyRefused,
  listKeys,
  revokeKey,
} from './brand-keys.ts';
export { BrandHeld, declareBrands, type Held, provideBrand, writeBrand } from './brands.ts';
export { type BrandChange, changeBrand, changedEmail, createBrand, WrongSettings } from './change.ts';
export { type ContactRules, contactRules, contactRulesOf } from './contact-rules.ts';
export { Unreadable, Vault } from './credentials.ts';
export { type BrandDeclaration, declaredFields, readDeclaration } from './declaration.ts';
export type { ApiKey } from './key-store.ts';
export { keyHash, newKey } from './keys.ts';
export { BrandRegistry } from './registry.ts';
export { explain, type SettingError } from './setting-error.ts';
export * from './settings.ts';
export { hasPlayers, readCreatedAt } from './store.ts';
export { supportEmail } from './support-email.ts';
export {
  platformTraitWords,
  type SegmentationKind,
  type SegmentationMapping,
  segmentationKinds,
} from './trait-names.ts';
