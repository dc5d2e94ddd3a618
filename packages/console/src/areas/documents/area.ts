import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { shellRoute } from '../../app/root-route.ts';
import { en } from '../../text/en.ts';

interface DocumentsSearch {
  readonly agent?: string;
  /** Part of the names. */
  readonly q?: string;
}

interface DocumentSearch {
  readonly agent?: string;
  /** The name of the document: it may be anything, also a path. */
  readonly id?: string;
}

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/documents',
  validateSearch: (search: Record<string, unknown>): DocumentsSearch => ({
    ...textIn('agent', search),
    ...textIn('q', search),
  }),
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'DocumentsPage'),
});

const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/documents/view',
  validateSearch: (search: Record<string, unknown>): DocumentSearch => ({
    ...textIn('agent', search),
    ...textIn('id', search),
  }),
  component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
});

export const documentsArea = {
  title: en.documents.title,
  path: '/documents',
  routes: [listRoute, documentRoute],
} as const satisfies Area;
