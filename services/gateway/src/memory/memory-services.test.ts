import { memoryQuery } from '@mneme/contracts';
import { describe, expect, it, vi } from 'vitest';
import type { RequestScope } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';
import { createMemoryServices } from './memory-services.ts';

describe('a query of a key that is bound to an agent', () => {
  const send = vi.fn(async () => ({}));
  const services = createMemoryServices(send as unknown as SendRequest);
  const scope = { caller: { kind: 'key', space: 's', key: { agentId: 'ana' } } } as unknown as RequestScope;
  const read = (request: object) => services.read(memoryQuery.listUnits, request as never, scope);

  it.each([
    {},
    { agentId: undefined },
    { agentId: 'bob' },
    { agentIds: ['ana', 'bob'] },
    { agentIds: ['bob'], agentId: 'ana' },
    { onlyAgent: 'bob', agentId: 'ana' },
  ])('is not sent, whatever a route has made of the request: %j', async (request) => {
    await expect(read(request)).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(send).not.toHaveBeenCalled();
  });

  it.each([{ agentId: 'ana' }, { agentIds: ['ana'] }, { onlyAgent: 'ana' }, { onlyAgent: 'ana', agentId: 'bob' }])(
    'is sent about that agent: %j',
    async (request) => {
      await read(request);
      expect(send).toHaveBeenCalledOnce();
    },
  );
});
