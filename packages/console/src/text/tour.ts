/** Of the tour with the sample agent. */
export const tourText = {
  title: 'Tour',
  intro:
    'A small agent with a few conversations shows what Mneme does. It is an agent like others: it uses nothing outside this server, and you can erase it at any time.',
  steps: {
    store: {
      title: '1. Store the sample agent',
      text: 'Three conversations with a travel assistant, its personality and background. The memories, links and opinions are made from them now.',
      act: 'Store the sample agent',
      again: 'Store it again',
      done: 'The sample agent is stored.',
    },
    look: {
      title: '2. Look around',
      text: 'Everything below belongs to the sample agent.',
      none: 'Its pages are linked here when the sample agent is stored.',
      agent: 'Its profile',
      documents: 'Its documents, with what became memories',
      graph: 'Its memories and how they are linked',
      search: 'Search its memories',
      think: 'Ask it, for example what Ana would like for her birthday',
    },
    erase: {
      title: '3. Erase it',
      text: 'Erases the sample agent from every store and from the event log.',
      act: 'Erase the sample agent',
      done: 'The sample agent is erased.',
      none: 'There is no sample agent at the moment.',
    },
  },
  progress: { profile: 'Storing the profile', documents: 'Storing conversations', thinking: 'Forming an opinion' },
  invite: 'New here? A sample agent shows what memory can do.',
  inviteLink: 'Take the tour',
} as const;
