// Brings a mongod to the state that the services need, and ends with 0 when it is: a replica set, and the user of the
// services. For mongosh; it may be run again at any time, and a password that was changed is set anew.
//   MONGODB_KEY       what the members of the replica set know each other by
//   MONGODB_PASSWORD  of the user `mneme`
//   MONGODB_MEMBERS   addresses of all members, separated by commas
const { MONGODB_KEY, MONGODB_PASSWORD, MONGODB_MEMBERS } = process.env;
const user = 'mneme';
const admin = db.getSiblingDB('admin');
const authenticationFailed = 18;

const hello = admin.hello();
// Where another member is the primary, that one makes the user, which arrives here. A member that still copies the data,
// which may take hours after a volume was lost, does not wait for it.
if (hello.setName && !hello.isWritablePrimary && hello.primary && MONGODB_MEMBERS.includes(','))
  quit(!hello.secondary || knowsPassword() ? 0 : 1);
// As a member of the replica set, which may do everything, also before there is a user.
db.getSiblingDB('local').auth({ user: '__system', pwd: MONGODB_KEY, mechanism: 'SCRAM-SHA-256' });
if (!hello.setName) initiate();
if (!admin.hello().isWritablePrimary) quit(1);
if (!knowsPassword()) setPassword();
quit(0);

function initiate() {
  try {
    const members = MONGODB_MEMBERS.split(',').map((host, index) => ({ _id: index, host }));
    rs.initiate({ _id: 'mneme', members });
  } catch (error) {
    // The others do not answer yet, or one of them has done it.
    print(error.message);
    quit(1);
  }
}

function knowsPassword() {
  try {
    const own = new Mongo(
      `mongodb://${user}:${encodeURIComponent(MONGODB_PASSWORD)}@127.0.0.1/admin?directConnection=true`,
    );
    own.getDB('admin').runCommand({ ping: 1 });
    return true;
  } catch (error) {
    if (error.code !== authenticationFailed) throw error;
    return false;
  }
}

function setPassword() {
  const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor'];
  const rights = { pwd: MONGODB_PASSWORD, roles, mechanisms: ['SCRAM-SHA-256'] };
  if (admin.getUser(user)) admin.updateUser(user, rights);
  else admin.createUser({ user, ...rights });
}
