import { createRoute } from '@tanstack/react-router';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

const tourRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tour',
  component: lazyComponent(() => import('./tour-page.tsx'), 'TourPage'),
});

export const tourArea = { title: en.tour.title, path: '/tour', routes: [tourRoute] } as const satisfies Area;
