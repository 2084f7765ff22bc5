import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { sha256 } from '../tokens.ts';

/** Codes that replace a lost second factor. Each works once. */
const codes = 10;
/** 80 bits are 16 letters in base32. */
const codeBytes = 10;
const groupLetters = 4;

/** @returns codes such as `K3XT-PLQA-7YBN-C2VD` */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codes }, () => {
    const letters = new Secret({ buffer: new Uint8Array(randomBytes(codeBytes)).buffer }).base32;
    return (letters.match(new RegExp(`.{${groupLetters}}`, 'g')) ?? []).join('-');
  });
}

/** The stored hash of a code. Letter case, spaces and hyphens are ignored. */
export function recoveryCodeHash(code: string): Buffer {
  return sha256(code.toUpperCase().replaceAll(/[\s-]/g, ''));
}
