import type { Item } from '@mneme/client';
import { maxDocumentIdLength } from '@mneme/contracts/item-rules';

/** A document as it is stored: all of its items, in their order. */
export interface ImportedDocument {
  readonly id: string;
  /** Where it was read, for people. */
  readonly place: string;
  readonly items: readonly Item[];
}

/** What could not be read, or not be stored. */
export interface Fault {
  /** The file, and the line or the record in it. */
  readonly place: string;
  readonly reason: string;
}

/** Why the rest of a file cannot be read. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

/** What a reader finds in a file, one after another. */
export type Found = (
  | { readonly kind: 'document'; readonly document: ImportedDocument }
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** Something that is not imported on purpose. */
  | { readonly kind: 'left-out' }
) & {
  /** About how much of the file it is, for the progress. Default: 0. */
  readonly bytes?: number;
};

export function documentFound(document: ImportedDocument): Found {
  return { kind: 'document', document };
}

export function faultFound(place: string, reason: string): Found {
  return { kind: 'fault', fault: { place, reason } };
}

export const leftOut: Found = { kind: 'left-out' };

/** @throws Error if a server would not take a document of this id, or not return it */
export function assertDocumentId(id: string): void {
  // In the path of a request a dot or two are a step, also percent-encoded.
  if (id === '.' || id === '..') throw new Error(`a document cannot be called "${id}"`);
  if ([...id].length > maxDocumentIdLength) {
    throw new Error(`the document id has more than ${maxDocumentIdLength} characters`);
  }
}
