import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
  validateSearch: ({ agent, q }: Record<string, unknown>): DocumentsSearch => ({
    ...(isText(agent) && { agent }),
    ...(isText(q) && { q }),
  }),
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'DocumentsPage'),
});

const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/documents/view',
  validateSearch: ({ agent, id }: Record<string, unknown>): DocumentSearch => ({
    ...(isText(agent) && { agent }),
    ...(isText(id) && { id }),
  }),
  component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
});

export const documentsArea = {
  title: en.documents.title,
  path: '/documents',
  routes: [listRoute, documentRoute],
} as const satisfies Area;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
