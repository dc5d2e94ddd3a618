interface ProjectSearch {
  /** The project that is shown; the first one of the user unless given. */
  readonly project?: number;
}

/** Reads the project from an address. */
export function projectSearch({ project }: Record<string, unknown>): ProjectSearch {
  return Number.isSafeInteger(project) && Number(project) > 0 ? { project: Number(project) } : {};
}
