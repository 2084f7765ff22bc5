import { describe } from 'vitest';
import { daysConformance } from './days.conformance.ts';
import { durabilityConformance } from './durability.conformance.ts';
import { erasureConformance } from './erasure.conformance.ts';
import { readingConformance } from './reading.conformance.ts';
import type { MakeLedger } from './stage.ts';

/** The rules for every implementation of the ledger. */
export function ledgerConformance(make: MakeLedger): void {
  describe('writing and reading', () => readingConformance(async () => (await make()).ledger));
  describe('durability', () => durabilityConformance(make));
  describe('days that are over', () => daysConformance(make));
  describe('erasure', () => erasureConformance(make));
}
