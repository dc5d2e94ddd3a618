#!/usr/bin/env node
import { Mneme } from '@mneme/client';
import { agentOfKey } from './agent-of-key.ts';
import { createMcpServer } from './server.ts';
import { readSettings, type Settings, SettingsError, usageOf } from './settings.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Few, because a model is waiting, and can try again itself. */
const retries = 2;

const [, script = '', ...args] = process.argv;
try {
  await serve(readSettings(args, process.env));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n\n${usageOf(script)}`);
  process.exitCode = 1;
}

/** Serves until the other side closes the standard input. */
async function serve(settings: Settings): Promise<void> {
  const { baseUrl, apiKey, isAdmin } = settings;
  const agentId = settings.agentId ?? (await agentOfKey(settings));
  const agent = new Mneme({ baseUrl, apiKey, retries }).agent(agentId);
  const onError = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  const server = createMcpServer({ agent, isAdmin, mayWrite: true, onError });
  await server.connect(new StdioTransport(process.stdin, process.stdout));
  process.stdin.once('end', () => void server.close());
}
