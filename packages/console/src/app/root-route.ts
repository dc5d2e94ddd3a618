import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { ProblemPage } from '../components/problem.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { queryClient } from './query-client.ts';
import { isAdmitted, sessionQuery } from './session/session.ts';

export const rootRoute = createRootRoute({ errorComponent: ProblemPage, notFoundComponent: NotFoundPage });

/** The parent of all areas: the navigation, which the router adds, for those who may see something. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!isAdmitted(session)) throw redirect({ to: '/sign-in', search: { to: location.href } });
  },
});
