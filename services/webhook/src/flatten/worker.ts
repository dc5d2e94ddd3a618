// What the threads of `payloadColumns` run.
export { readColumns } from './payload-columns.ts';
