import { useState } from 'react';

/** Changes of fields, without those that make no difference to others. */
export function editsOf<Fields extends object>(current: Partial<Fields>, changes: Partial<Fields>): Partial<Fields> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(current[name as keyof Fields]);
  return Object.fromEntries(Object.entries(changes).filter(differs)) as Partial<Fields>;
}

/**
 * The fields of a form for something that others may change meanwhile. Fields that are not edited follow it, and only `edits`
 * are to be sent.
 * @param isSaving whether edits are on their way; what is changed back meanwhile is an edit, too
 */
export function useEdits<Fields extends object>(current: Fields, isSaving: boolean) {
  const [changes, setChanges] = useState<Partial<Fields>>({});
  const edits = editsOf(current, changes);
  return {
    fields: { ...current, ...changes },
    edits,
    isEdited: Object.keys(edits).length > 0,
    edit: (more: Partial<Fields>) =>
      setChanges((before) => (isSaving ? { ...before, ...more } : editsOf(current, { ...before, ...more }))),
    /** Forgets edits that have been saved, unless they were changed meanwhile. */
    discard: (saved: Partial<Fields>) => setChanges((before) => editsOf(saved, before)),
  };
}
