import type { FactType } from '@mneme/client';
import type { LinkKind } from './graph-search.ts';

/** Seen on white and on black. */
const colors: Readonly<Record<FactType | LinkKind, string>> = {
  world: '#4e79a7',
  agent: '#4f9447',
  opinion: '#e15759',
  temporal: '#1098ad',
  semantic: '#d6336c',
  entity: '#c9720c',
};

export function colorOf(kind: FactType | LinkKind): string {
  return colors[kind];
}
