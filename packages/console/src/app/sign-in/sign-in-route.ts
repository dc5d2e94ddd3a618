import { createRoute } from '@tanstack/react-router';
import { validSearch } from '../address-fields.ts';
import { lazyComponent } from '../load-code.ts';
import { rootRoute } from '../root-route.ts';

interface SignInSearch {
  /** Where one was. */
  readonly to?: string;
  /** Whether the identity provider has signed no one in. */
  readonly failed?: boolean;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: validSearch(
    (search): SignInSearch => ({
      ...(isOwnPath(search.to) && { to: search.to }),
      ...(search.failed === true && { failed: true }),
    }),
  ),
  component: lazyComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

/** A link to this page must not lead anywhere else. */
function isOwnPath(to: unknown): to is string {
  return typeof to === 'string' && URL.parse(to, location.origin)?.origin === location.origin && to.startsWith('/');
}
