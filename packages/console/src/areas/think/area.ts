import { createRoute } from '@tanstack/react-router';
import { textIn, validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
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
  validateSearch: validSearch(
    (search): ThinkSearch => ({
      ...textIn('agent', search),
      ...(search.view === 'opinions' && { view: search.view }),
    }),
  ),
  component: lazyComponent(() => import('./think-page.tsx'), 'ThinkPage'),
});

const opinionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/think/opinions/$unitId',
  validateSearch: validSearch((search): Pick<ThinkSearch, 'agent'> => textIn('agent', search)),
  component: lazyComponent(() => import('./opinion-page.tsx'), 'OpinionPage'),
});

export const thinkArea = {
  title: en.think.title,
  path: '/think',
  routes: [thinkRoute, opinionRoute],
} as const satisfies Area;
