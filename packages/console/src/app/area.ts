import type { Session } from '@mneme/client';
import type { AnyRoute } from '@tanstack/react-router';

/** A part of the console, with its own place in the navigation. */
export interface Area {
  /** Its name in the navigation. */
  readonly title: string;
  /** Where it begins, such as `/agents`. */
  readonly path: string;
  readonly routes: readonly AnyRoute[];
  /** Whether the navigation shows it to this caller; to everyone unless given. */
  readonly isFor?: (session: Session) => boolean;
}
