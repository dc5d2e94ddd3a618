import { documentsText } from './documents.ts';
import { keysText, projectText } from './keys.ts';
import { searchText } from './search.ts';
import { systemText } from './system.ts';
import { thinkText } from './think.ts';
import { tourText } from './tour.ts';
import { tablesText, webhooksText } from './webhooks.ts';

/** All texts of the console. Another language is another file of this shape. */
export const en = {
  locale: 'en',
  none: '–',
  loading: 'Loading',
  shell: {
    name: 'Mneme',
    areas: 'Areas',
    menu: 'Menu',
    skip: 'Skip to content',
    theme: 'Theme',
    themes: { auto: 'Like the system', light: 'Light', dark: 'Dark' },
    signIn: 'Sign in',
    signOut: 'Sign out',
    notSignedOut: 'You are still signed in',
    user: (id: number) => `User ${id}`,
    key: (id: number) => `API key ${id}`,
    boundTo: (agent: string) => `Bound to agent ${agent}`,
    publicSpace:
      'You are not signed in. You see the public space, which everyone who reaches this server can read and change.',
  },
  signIn: {
    title: 'Sign in',
    expired: 'Sign in again',
    expiredHint:
      'Your session has ended, or somebody signed in or out in another tab. Sign in to continue where you were. What you have typed stays, unless you continue as somebody else.',
    signedIn: (name: string) => `This browser is signed in as ${name}`,
    continueAs: (name: string) => `Continue as ${name}`,
    failed: 'The identity provider did not sign you in. Try again, or ask who runs this server.',
    credential: 'Token or API key',
    credentialHint: 'It is exchanged for a session that scripts cannot read, and not kept in this page.',
    submit: 'Sign in',
    provider: 'Sign in with your identity provider',
    link: 'On the machine of the server, npm run mneme -- sign-in --user 1 prints a link that signs a browser in once.',
    openTitle: 'You can continue without signing in',
    open: 'Memory is open on this server. Without signing in you see the public space.',
    continueOpen: 'Continue without signing in',
  },
  copy: {
    copy: 'Copy',
    copied: 'Copied',
    failed: 'This browser does not let the page copy. Select the text and copy it.',
  },
  dialog: { cancel: 'Cancel' },
  notFound: {
    title: 'There is nothing at this address',
    explanation: 'The page may have been removed, or the address is not complete.',
    home: 'Go to the start page',
  },
  connection: {
    lost: 'The server cannot be reached',
    explanation:
      'What you see may be out of date. This page tries again by itself, and catches up when the server answers.',
  },
  problem: {
    unexpected: 'The page failed',
    failed: (status: number) => (status === 0 ? 'The request failed' : `The request failed (${status})`),
    requestId: (id: string) => `Request ${id}. Include it when you ask for support.`,
    retry: 'Try again',
    titles: {
      NETWORK_ERROR: 'The server cannot be reached',
      TIMEOUT: 'The server took too long',
      UNAUTHENTICATED: 'You are not signed in',
      SESSION_EXPIRED: 'Your session has ended',
      FORBIDDEN: 'You may not do this',
      NOT_FOUND: 'It does not exist',
      CONFLICT: 'It was changed at the same time',
      INVALID_REQUEST: 'Something is not valid',
      RATE_LIMITED: 'Too many requests',
      UNAVAILABLE: 'A part of the server is not available',
      REBUILDING: 'The server is rebuilding its data',
      READ_MODEL_BEHIND: 'The server is catching up',
    } as Readonly<Record<string, string>>,
    /** Instead of the words of the server, where they are not for people. */
    advice: {
      NETWORK_ERROR: 'Check that the server runs and that you are connected, then try again.',
      TIMEOUT: 'It may still be working. Wait a moment, then look again before you repeat it.',
    } as Readonly<Record<string, string>>,
  },
  agents: {
    title: 'Agents',
    search: 'Find agents',
    searchHint: 'Part of the name',
    total: (total: number) => (total === 1 ? '1 agent' : `${total.toLocaleString('en')} agents`),
    empty: 'There are no agents yet. One appears with its first memory, or when you create it.',
    noMatch: 'No agent has a name with this in it.',
    more: 'Show more',
    columns: { name: 'Agent', memories: 'Memories', documents: 'Documents', activity: 'Last activity' },
    create: 'New agent',
    createTitle: 'New agent',
    createName: 'Name',
    createSubmit: 'Create',
    back: 'All agents',
    graph: 'Memory graph',
    searchMemory: 'Search its memory',
    missing: 'There is no agent of this name.',
    erase: {
      act: 'Erase agent',
      question: 'Erase this agent?',
      explanation: (agentId: string) =>
        `${agentId}, its memories, documents and opinions are erased, also from the event log. This cannot be undone.`,
    },
    counts: { units: 'Memories', documents: 'Documents', links: 'Links', pending: 'Running', failed: 'Failed' },
    traits: {
      title: 'Personality',
      picture: 'Radar picture of the traits',
      save: 'Save traits',
      reset: 'Discard changes',
      saved: 'The traits are saved.',
      change: (name: string, before: number, after: number) => `${name}: ${before.toFixed(2)} → ${after.toFixed(2)}`,
      names: {
        openness: 'Openness',
        conscientiousness: 'Conscientiousness',
        extraversion: 'Extraversion',
        agreeableness: 'Agreeableness',
        neuroticism: 'Neuroticism',
        bias_strength: 'Bias strength',
      },
      /** Long names with spaces where they continue in the next line. */
      brokenNames: {
        conscientiousness: 'Conscien- tiousness',
        extraversion: 'Extra- version',
        neuroticism: 'Neuro- ticism',
      },
    },
    background: {
      title: 'Background',
      none: 'The agent has no background.',
      add: 'Add to the background',
      addHint: 'Where both contradict each other, the new text wins.',
      preview: 'Show the result',
      difference: 'What changes',
      keep: 'Keep',
      discard: 'Discard',
      unchanged: 'Nothing changes.',
      saved: 'The background is saved.',
      changed: 'The background is another one by now. Show the result again before you keep it.',
      traitsChanged: 'The traits are other ones by now. Show the result again before you keep it.',
    },
  },
  documents: documentsText,
  think: thinkText,
  tour: tourText,
  project: projectText,
  keys: keysText,
  factTypes: { world: 'World fact', agent: 'Experience', opinion: 'Opinion' },
  linkKinds: { temporal: 'Time', semantic: 'Meaning', entity: 'Entity' },
  percent: (share: number) => `${Math.round(100 * share)} %`,
  agentSelect: {
    label: 'Agent',
    none: 'No agent has a name with this in it.',
  },
  unit: {
    page: 'A memory',
    title: 'Memory',
    close: 'Close memory',
    fields: {
      agent: 'Agent',
      type: 'Type',
      date: 'Date',
      confidence: 'Confidence',
      mentions: 'Times stored',
      context: 'Context',
      document: 'Document',
      place: 'In the document',
      id: 'Id',
    },
    place: (item: number | null, fact: number) =>
      item === null ? `Fact ${fact + 1}` : `Item ${item + 1}, fact ${fact + 1}`,
    entities: 'Entities',
    noEntities: 'It names no one and nothing.',
    showDocument: 'Show document',
    hideDocument: 'Hide document',
    origin: {
      title: 'Where it comes from',
      none: 'The event is not in the log any more.',
      event: 'Event',
      time: 'Recorded',
      place: 'Position',
      eventId: 'Event id',
      request: 'Request',
      noRequest: 'Not known',
      principal: 'Sent by',
      noPrincipal: 'Not known, or without credentials',
      operation: 'Operation',
    },
    opinion: {
      title: 'How the opinion changed',
      changes: { formed: 'Formed', raise: 'Strengthened', lower: 'Weakened', rewrite: 'Rewritten' },
      confidence: (before: number | null, after: number | null) => {
        const value = (share: number | null) => (share === null ? '–' : `${Math.round(100 * share)} %`);
        return before === null ? `confidence ${value(after)}` : `confidence ${value(before)} to ${value(after)}`;
      },
      forgotten: 'A memory that no longer exists',
    },
    history: {
      title: 'Former texts',
      none: 'The text has not been changed.',
      until: 'Until',
    },
    links: {
      title: 'Linked memories',
      none: 'It is linked to no other memory.',
      more: 'There are more links, which are weaker.',
      directions: { in: 'older', out: 'newer' },
      weight: (weight: number) => `weight ${weight.toFixed(2)}`,
    },
    correct: {
      open: 'Correct',
      title: 'Correct the memory',
      label: 'Text',
      hint: 'The former text stays in the history, and is not found any more.',
      submit: 'Save text',
    },
    forget: {
      open: 'Forget',
      title: 'Forget the memory?',
      explanation: 'It is not found any more, and its links go with it. This cannot be undone.',
      submit: 'Forget it',
      cancel: 'Keep it',
      done: 'The memory is forgotten.',
    },
  },
  graph: {
    title: 'Memory graph',
    noAgents: 'There are no agents yet. One appears with its first memory.',
    empty: 'This agent has no memories yet.',
    noneThen: 'There are no memories of these days.',
    noneOfEntity: 'No memory mentions this entity.',
    load: { from: 'Load from', to: 'Load before' },
    shown: (shown: number, all: number, links: number) =>
      `${shown.toLocaleString('en')} of ${all.toLocaleString('en')} memories, ${linksText(links)}.`,
    cut: (shown: number, total: number) =>
      `The agent has ${total.toLocaleString('en')}; these are the newest ${shown.toLocaleString('en')}.`,
    linksCut: (links: number) => `Only the ${links.toLocaleString('en')} strongest links are loaded.`,
    view: 'View',
    views: { picture: 'Picture', table: 'Table' },
    picture: {
      label: (nodes: number, links: number) =>
        `${nodes} memories as points and ${linksText(links)} as lines between them. The table has the same as text.`,
      zoom: { in: 'Zoom in', out: 'Zoom out', all: 'Show all' },
      failed: 'The picture cannot be drawn',
      advice: 'This browser offers no WebGL. Switch it on in the settings of the browser, or use the table.',
    },
    filters: {
      types: 'Types',
      kinds: 'Links by',
      entity: 'Entity',
      anyEntity: 'Any entity',
      option: (name: string, count: number) => `${name} (${count.toLocaleString('en')})`,
      clear: 'Show everything',
    },
    time: {
      label: 'Time',
      picture: (count: number) => `Histogram of ${count} memories over time`,
      from: 'From',
      to: 'To',
    },
    table: {
      label: 'Memories',
      columns: { text: 'Memory', type: 'Type', date: 'Date', entities: 'Entities' },
    },
  },
  webhooks: webhooksText,
  tables: tablesText,
  system: systemText,
  search: searchText,
} as const;

function linksText(count: number): string {
  return count === 1 ? '1 link' : `${count.toLocaleString('en')} links`;
}
