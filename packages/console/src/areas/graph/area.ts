import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../app/area.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';
import { graphSearchOf } from './graph-search.ts';

const graphRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/graph',
  validateSearch: graphSearchOf,
  component: lazyRouteComponent(() => import('./graph-page.tsx'), 'GraphPage'),
});

const memoryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memories/$unitId',
  component: lazyRouteComponent(() => import('./memory-page.tsx'), 'MemoryPage'),
});

export const graphArea = {
  title: en.graph.title,
  path: '/graph',
  routes: [graphRoute, memoryRoute],
} as const satisfies Area;
