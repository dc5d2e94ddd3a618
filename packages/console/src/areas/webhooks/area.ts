import { createRoute } from '@tanstack/react-router';
import { validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { projectSearch } from '../../app/project-search.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

const validateSearch = validSearch(projectSearch);

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch,
  component: lazyComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$webhookId',
  validateSearch,
  component: lazyComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/tables/$tableId',
  validateSearch,
  component: lazyComponent(() => import('./table-page.tsx'), 'TablePage'),
});

export const webhooksArea = {
  title: en.webhooks.title,
  path: '/webhooks',
  routes: [listRoute, webhookRoute, tableRoute],
  isFor: ({ signed_in_as }) => signed_in_as === 'user',
} as const satisfies Area;
