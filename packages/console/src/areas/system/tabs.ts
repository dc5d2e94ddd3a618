/** The parts of the page, in their order. */
export const systemTabs = ['services', 'streams', 'read-models', 'dead-letters', 'tasks'] as const;
export type SystemTab = (typeof systemTabs)[number];
