import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../app/area.ts';
import { type ProjectSearch, projectSearch } from '../../app/project-search.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

const validateSearch = (search: Record<string, unknown>): ProjectSearch => projectSearch(search);

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch,
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$webhookId',
  validateSearch,
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/tables/$tableId',
  validateSearch,
  component: lazyRouteComponent(() => import('./table-page.tsx'), 'TablePage'),
});

export const webhooksArea = {
  title: en.webhooks.title,
  path: '/webhooks',
  routes: [listRoute, webhookRoute, tableRoute],
  isFor: ({ signed_in_as }) => signed_in_as === 'user',
} as const satisfies Area;
