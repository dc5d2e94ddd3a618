import { Command } from 'commander';
import { reembedCommand } from './reembed/reembed-command.ts';
import { start } from './start/start.ts';

const program = new Command('mneme').description('Long-term memory for AI agents');

program
  .command('start')
  .description('start NATS, MongoDB, Qdrant and all services on this machine; settings come from the environment')
  .action(start);

program
  .command('reembed')
  .description(
    'bring the memory over to another embedding model, that of the environment; while the services do not run',
  )
  .action(reembedCommand);

await program.parseAsync();
