import { createRoute } from '@tanstack/react-router';
import { validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { projectSearch } from '../../app/project-search.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: validSearch(projectSearch),
  component: lazyComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});

const keyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys/$keyId',
  validateSearch: validSearch(projectSearch),
  component: lazyComponent(() => import('./key-page.tsx'), 'KeyPage'),
});

export const keysArea = {
  title: en.keys.title,
  path: '/keys',
  routes: [listRoute, keyRoute],
  isFor: ({ signed_in_as }) => signed_in_as === 'user',
} as const satisfies Area;
