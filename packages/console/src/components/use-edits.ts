import { useState } from 'react';

/** Changes of fields, without those that make no difference. */
export function editsOf<Fields extends object>(current: Fields, changes: Partial<Fields>): Partial<Fields> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(current[name as keyof Fields]);
  return Object.fromEntries(Object.entries(changes).filter(differs)) as Partial<Fields>;
}

/**
 * The fields of a form for something that others may change meanwhile. Fields that are not edited follow it, and only `edits`
 * are to be sent.
 */
export function useEdits<Fields extends object>(current: Fields) {
  const [changes, setChanges] = useState<Partial<Fields>>({});
  return {
    fields: { ...current, ...changes },
    edits: editsOf(current, changes),
    edit: (more: Partial<Fields>) => setChanges((before) => editsOf(current, { ...before, ...more })),
    discard: () => setChanges({}),
  };
}
