import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Comparison, type Did, isDid, isGroup, type Rule, type RuleNode } from './rule.ts';

/**
 * SHA-256 over the meaning of a rule. Two rules have the same hash if they differ only in the order of keys, in `not:
 * false`, or in keys that a builder adds for itself. 64 hexadecimal digits.
 */
export function hashOf(rule: Rule): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(canonical(rule)))));
}

function canonical(node: RuleNode): unknown {
  if (isGroup(node)) return [node.combinator, node.not === true, node.rules.map(canonical)];
  if (isDid(node)) {
    const { field, match, within, value }: Did = node;
    return [field, match.mode, match.threshold, within ?? null, value ? canonical(value) : null];
  }
  const { field, operator, value }: Comparison = node;
  return [field, operator, value ?? null];
}
