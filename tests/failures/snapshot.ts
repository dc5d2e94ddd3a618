import type {
  AgentList,
  DocumentList,
  Graph,
  MemoryUnit,
  OperationStatus,
  SearchReply,
  UnitList,
} from '@mneme/contracts';
import type { HttpClient } from '../system/http-client.ts';

/** All that can be read of some agents. Of a search, what it finds first: the rest may follow in another order. */
export interface Snapshot {
  readonly agents: AgentList;
  readonly units: readonly UnitList[];
  /** Units by id, of lists that are short. */
  readonly details: readonly MemoryUnit[];
  readonly graphs: readonly Graph[];
  readonly documents: readonly DocumentList[];
  readonly stats: readonly unknown[];
  readonly found: readonly (string | undefined)[];
  readonly operations: readonly OperationStatus[];
}

/** Agents with more units are compared by their lists. */
const maxDetails = 10;

/** Reads everything about the agents, and the operations with the given ids. */
export async function takeSnapshot(
  http: HttpClient,
  agentIds: readonly string[],
  operationIds: readonly string[],
): Promise<Snapshot> {
  const read = <Body>(path: string) => http.get<Body>(path).then(expectOk);
  const each = <Body>(path: (agentId: string) => string) => Promise.all(agentIds.map((id) => read<Body>(path(id))));
  const search = async (agent_id: string) => {
    const query = { agent_id, query: 'Who holds lemons in crate C77?', question_date: '2026-12-01' };
    return expectOk(await http.post<SearchReply>('/api/search', query)).results[0]?.id;
  };
  const units = await each<UnitList>((id) => `/api/list?agent_id=${id}&limit=1000`);
  const few = units.filter(({ total }) => total <= maxDetails).flatMap(({ items }) => items);
  return {
    agents: await read<AgentList>('/api/agents'),
    units,
    details: await Promise.all(few.map(({ id }) => read<MemoryUnit>(`/api/memory/${id}`))),
    graphs: await each<Graph>((id) => `/api/graph?agent_id=${id}`),
    documents: await each<DocumentList>((id) => `/api/documents?agent_id=${id}`),
    stats: await each((id) => `/api/stats/${id}`),
    found: await Promise.all(agentIds.map(search)),
    operations: await Promise.all(operationIds.map((id) => read<OperationStatus>(`/api/operations/${id}/status`))),
  };
}

function expectOk<Body>({ status, body }: { status: number; body: Body }): Body {
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}
