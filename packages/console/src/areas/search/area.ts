import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../app/area.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';
import { searchAddressOf } from './search-address.ts';

const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/search',
  validateSearch: searchAddressOf,
  component: lazyRouteComponent(() => import('./search-page.tsx'), 'SearchPage'),
});

export const searchArea = {
  title: en.search.title,
  path: '/search',
  routes: [searchRoute],
} as const satisfies Area;
