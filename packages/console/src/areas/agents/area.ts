import { createRoute } from '@tanstack/react-router';
import { textIn, validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

interface AgentsSearch {
  /** Part of the names. */
  readonly q?: string;
}

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents',
  validateSearch: validSearch((search): AgentsSearch => textIn('q', search)),
  component: lazyComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
});

const agentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents/$agentId',
  component: lazyComponent(() => import('./agent-page.tsx'), 'AgentPage'),
});

export const agentsArea = {
  title: en.agents.title,
  path: '/agents',
  routes: [listRoute, agentRoute],
} as const satisfies Area;
