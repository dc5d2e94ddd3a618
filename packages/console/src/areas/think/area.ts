import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

interface ThinkSearch {
  readonly agent?: string;
  /** The opinions, instead of the conversation. */
  readonly view?: 'opinions';
}

const thinkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/think',
  validateSearch: (search: Record<string, unknown>): ThinkSearch => ({
    ...textIn('agent', search),
    ...(search.view === 'opinions' && { view: search.view }),
  }),
  component: lazyRouteComponent(() => import('./think-page.tsx'), 'ThinkPage'),
});

const opinionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/think/opinions/$unitId',
  validateSearch: (search: Record<string, unknown>): Pick<ThinkSearch, 'agent'> => textIn('agent', search),
  component: lazyRouteComponent(() => import('./opinion-page.tsx'), 'OpinionPage'),
});

export const thinkArea = {
  title: en.think.title,
  path: '/think',
  routes: [thinkRoute, opinionRoute],
} as const satisfies Area;
