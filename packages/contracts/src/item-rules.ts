/** What an item of a batch must be. These files run in browsers too, and import nothing else of this package. */
export { normaliseDateTime } from './http/date-time.ts';
export { maxContextBytes, maxDocumentIdLength } from './http/fields.ts';
export { utf8Length } from './http/utf8-length.ts';
export { metadata } from './memory/metadata.ts';
export { itemRoles, maxBatchItems } from './memory/schemas.ts';
