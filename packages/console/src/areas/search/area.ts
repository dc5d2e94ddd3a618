import { createRoute } from '@tanstack/react-router';
import { validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';
import { searchAddressOf } from './search-address.ts';

const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/search',
  validateSearch: validSearch(searchAddressOf),
  component: lazyComponent(() => import('./search-page.tsx'), 'SearchPage'),
});

export const searchArea = {
  title: en.search.title,
  path: '/search',
  routes: [searchRoute],
} as const satisfies Area;
