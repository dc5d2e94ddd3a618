import { createRoute } from '@tanstack/react-router';
import { textIn, validSearch } from '../../app/address-fields.ts';
import type { Area } from '../../app/area.ts';
import { lazyComponent } from '../../app/load-code.ts';
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
  validateSearch: validSearch(
    (search): DocumentsSearch => ({
      ...textIn('agent', search),
      ...textIn('q', search),
    }),
  ),
  component: lazyComponent(() => import('./documents-page.tsx'), 'DocumentsPage'),
});

const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/documents/view',
  validateSearch: validSearch(
    (search): DocumentSearch => ({
      ...textIn('agent', search),
      ...textIn('id', search),
    }),
  ),
  component: lazyComponent(() => import('./document-page.tsx'), 'DocumentPage'),
});

export const documentsArea = {
  title: en.documents.title,
  path: '/documents',
  routes: [listRoute, documentRoute],
} as const satisfies Area;
