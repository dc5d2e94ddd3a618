import { Command } from 'commander';
import { start } from './start/start.ts';

const program = new Command('mneme').description('Long-term memory for AI agents');

program
  .command('start')
  .description('start NATS, MongoDB, Qdrant and all services on this machine; settings come from the environment')
  .action(start);

await program.parseAsync();
