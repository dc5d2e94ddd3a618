import { createRoute } from '@tanstack/react-router';
import { validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';
import { graphSearchOf } from './graph-search.ts';

const graphRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/graph',
  validateSearch: validSearch(graphSearchOf),
  component: lazyComponent(() => import('./graph-page.tsx'), 'GraphPage'),
});

const memoryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memories/$unitId',
  component: lazyComponent(() => import('./memory-page.tsx'), 'MemoryPage'),
});

export const graphArea = {
  title: en.graph.title,
  path: '/graph',
  routes: [graphRoute, memoryRoute],
} as const satisfies Area;
