import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../app/area.ts';
import { type ProjectSearch, projectSearch } from '../../app/project-search.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): ProjectSearch => projectSearch(search),
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});

const keyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys/$keyId',
  validateSearch: (search: Record<string, unknown>): ProjectSearch => projectSearch(search),
  component: lazyRouteComponent(() => import('./key-page.tsx'), 'KeyPage'),
});

export const keysArea = {
  title: en.keys.title,
  path: '/keys',
  routes: [listRoute, keyRoute],
  isFor: ({ signed_in_as }) => signed_in_as === 'user',
} as const satisfies Area;
