import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { Loading } from '../components/loading.tsx';
import { ProblemPage } from '../components/problem.tsx';
import { areas } from './areas.ts';
import { rootRoute, shellRoute } from './root-route.ts';
import { Shell } from './shell/shell.tsx';
import { signInRoute } from './sign-in/sign-in-route.ts';

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: areas[0].path });
  },
});

shellRoute.update({ component: Shell });
const areaRoutes = areas.flatMap(({ routes }) => [...routes]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([indexRoute, signInRoute, shellRoute.addChildren(areaRoutes)]),
  defaultErrorComponent: ProblemPage,
  defaultPendingComponent: Loading,
  defaultPreload: 'intent',
  // Queries decide what is fresh.
  defaultPreloadStaleTime: 0,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
