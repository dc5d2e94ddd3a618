export { chatgptConversation, shortChat } from './samples.ts';
export { zipOf } from './zip-of.ts';
