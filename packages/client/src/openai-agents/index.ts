export { MnemeSession, type MnemeSessionOptions } from './session.ts';
