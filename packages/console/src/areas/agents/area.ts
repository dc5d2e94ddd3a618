import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

interface AgentsSearch {
  /** Part of the names. */
  readonly q?: string;
}

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents',
  validateSearch: (search: Record<string, unknown>): AgentsSearch => textIn('q', search),
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
});

const agentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents/$agentId',
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
});

export const agentsArea = {
  title: en.agents.title,
  path: '/agents',
  routes: [listRoute, agentRoute],
} as const satisfies Area;
