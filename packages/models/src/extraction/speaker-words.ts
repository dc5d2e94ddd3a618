const labelList = `
abstract action actions address advice agenda aim also answer appendix assumption background because bonus budget caution caveat chapter comment
conclusion contents context cost date deadline definition description details disclaimer discussion due edit email end error example examples
extra facts figure file final finally first fix from goal goals he her hint how however http https idea important info ingredients input
instructions introduction issue it keywords lesson link links list location me mission name next no note notes objective option options
output overview owner part phone plan pre price priority problem pros cons ps purpose question quote reason recap recipe reference
references reminder requirement requirements result results rule second section sources source spoiler status step steps subject subtitle
summary table task tasks that then there they third this time tip tips title to todo together topic topics type update url vs warning we
what when where which who why yes you
`;

/** Words that stand before a colon without having said what follows it. */
export const labels: ReadonlySet<string> = new Set(labelList.split(/\s+/).filter((word) => word !== ''));

/** What an agent is called as a speaker. */
export const agentSpeakers: ReadonlySet<string> = new Set([
  'agent',
  'ai',
  'ai agent',
  'ai assistant',
  'assistant',
  'bot',
  'chatbot',
  'model',
]);

/** Speakers that are a part in a conversation, not a person's name. */
export const roleSpeakers: ReadonlySet<string> = new Set([
  ...agentSpeakers,
  'caller',
  'client',
  'customer',
  'developer',
  'human',
  'interviewer',
  'me',
  'operator',
  'speaker',
  'system',
  'tool',
  'user',
]);
