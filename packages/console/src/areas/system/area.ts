import { createRoute } from '@tanstack/react-router';
import { validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';
import { type SystemTab, systemTabs } from './tabs.ts';

interface SystemSearch {
  /** What is shown; the services unless given. */
  readonly tab?: SystemTab;
}

const systemRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/system',
  validateSearch: validSearch((search): SystemSearch => {
    const tab = systemTabs.find((each) => each === search.tab);
    return tab === undefined ? {} : { tab };
  }),
  component: lazyComponent(() => import('./system-page.tsx'), 'SystemPage'),
});

export const systemArea = {
  title: en.system.title,
  path: '/system',
  routes: [systemRoute],
  isFor: ({ is_operator }) => is_operator,
} as const satisfies Area;
