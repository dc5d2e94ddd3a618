import { expect, it } from 'vitest';
import { snippetsFor } from './snippets.ts';

it('snippets quote whatever the name of an agent contains', () => {
  const agentId = `it's "mine" $(reboot) \\ ü`;
  const { sdk, mcp, curl } = snippetsFor({ key: 'sk-1', agentId, origin: 'http://127.0.0.1:8080' });
  expect(sdk).toContain(`mneme.agent(${JSON.stringify(agentId)})`);
  expect(mcp).toBe(
    `claude mcp add --transport http mneme 'http://127.0.0.1:8080/mcp/it'\\''s%20%22mine%22%20%24(reboot)%20%5C%20%C3%BC' --header "Authorization: Bearer sk-1"`,
  );
  expect(curl).toContain(`'{"agent_id":"it'\\''s \\"mine\\" $(reboot) \\\\ ü","query":"Where does Carla live?"}'`);
});
