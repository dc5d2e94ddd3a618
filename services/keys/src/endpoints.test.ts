import { accessSubjects, keys } from '@mneme/contracts';
import { ReadModel } from '@mneme/read-models';
import { beforeAll, expect, it, vi } from 'vitest';
import { newKey } from './testing/key-events.ts';
import { type KeysFixture, useKeysFixture } from './testing/keys-fixture.ts';

type User = Awaited<ReturnType<KeysFixture['newUser']>>;
type Read = (user: User, minSequence?: number) => Promise<unknown>;

const fixture = useKeysFixture();
beforeAll(() => fixture.start());

const [projectId, keyId] = [70_000, 80_000];

const me: Read = ({ userId }, minSequence) => fixture.call(keys.me, { userId, minSequence });
const listSpaces: Read = ({ userId }, minSequence) => fixture.call(keys.listSpaces, { userId, minSequence });
const listProjects: Read = ({ userId }, minSequence) => fixture.call(keys.listProjects, { userId, minSequence });
const listKeys: Read = (user, minSequence) => fixture.call(keys.listKeys, { ...user, minSequence });
const keyHistory: Read = (user, minSequence) =>
  fixture.call(keys.keyHistory, { ...user, keyId, bucket: 'day', since: null, minSequence });

/** Appends a project and a key of the user, as another instance may do. @returns the sequence of the last event */
async function append({ userId, spaceId, ...user }: User): Promise<number> {
  const context = { correlationId: 'test' };
  const project = { projectId, spaceId, name: 'Second', createdBy: userId };
  const issued = newKey({ keyId, spaceId, projectId: user.projectId, userId });
  const { store } = fixture;
  await store.append(accessSubjects.project(projectId), [{ type: 'ProjectCreated', data: project }], 0, context);
  const key = await store.append(accessSubjects.key(keyId), [{ type: 'KeyIssued', data: issued }], 0, context);
  return key.sequence;
}

it('a read that names an event waits until the read model has applied it', async () => {
  const user = await fixture.newUser();
  const release = await fixture.holdReadModel('access');
  const sequence = await append(user);
  const reads = [me, listProjects, listKeys];
  const waiting = reads.map((read) => read(user, sequence));
  const hasNew = (answer: unknown) => /"id":(?:70000|80000)\b/.test(JSON.stringify(answer));
  const early = await Promise.all(reads.map((read) => read(user)));
  await release();
  expect(early.map(hasNew)).toEqual([false, false, false]);
  expect((await Promise.all(waiting)).map(hasNew)).toEqual([true, true, true]);
});

it.each([
  ['me', me],
  ['list-spaces', listSpaces],
  ['list-projects', listProjects],
  ['list-keys', listKeys],
  ['key-history', keyHistory],
])('%s is 503 when the event that it names is not applied in time', async (_name, read) => {
  const user = await fixture.newUser();
  using _late = vi.spyOn(ReadModel.prototype, 'awaitEvent').mockResolvedValue(false);
  await expect(read(user, 1)).rejects.toMatchObject({ status: 503, code: 'READ_MODEL_BEHIND' });
});
