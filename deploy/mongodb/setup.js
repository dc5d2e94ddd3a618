// Brings a mongod to the state that the services need, and ends with 0 when it is: a replica set, and the user of the
// services. For mongosh; it may be run again at any time, and a password that was changed is set anew.
//   MONGODB_KEY       what the members of the replica set know each other by
//   MONGODB_PASSWORD  of the user `mneme`
//   MONGODB_MEMBERS   addresses of all members, separated by commas
//   POD_NAME          which of several members this one is: the first part of its address
const { MONGODB_KEY, MONGODB_PASSWORD, MONGODB_MEMBERS, POD_NAME } = process.env;
const user = 'mneme';
const authenticationFailed = 18;

if (!db.hello().setName) initiate();
// The first election takes about ten seconds.
const { primary } = db.hello();
if (!primary) quit(1);
// The user is made where the primary is, which may have started long ago as another member. It arrives here with the rest of
// the data: a member that copies all of it, since its volume was lost, may take hours.
if (!knowsPassword()) setPassword();
quit(0);

function initiate() {
  // Members that do this at the same moment each make a set of their own, and these stay apart for good.
  if (POD_NAME && POD_NAME !== MONGODB_MEMBERS.split(/[.:]/, 1)[0]) quit(1);
  try {
    const members = MONGODB_MEMBERS.split(',').map((host, index) => ({ _id: index, host }));
    db.getSiblingDB('local').auth({ user: '__system', pwd: MONGODB_KEY, mechanism: 'SCRAM-SHA-256' });
    rs.initiate({ _id: 'mneme', members });
  } catch (error) {
    // The others do not answer yet, or they are a set already, of which this one will hear.
    print(error.message);
    quit(1);
  }
}

function knowsPassword() {
  try {
    adminOfPrimary(user, MONGODB_PASSWORD, 'authSource=admin').runCommand({ ping: 1 });
    return true;
  } catch (error) {
    if (error.code !== authenticationFailed) throw error;
    return false;
  }
}

function setPassword() {
  // As a member of the replica set, which may do everything, also before there is a user.
  const admin = adminOfPrimary('__system', MONGODB_KEY, 'authSource=local&authMechanism=SCRAM-SHA-256');
  const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor'];
  const rights = { pwd: MONGODB_PASSWORD, roles, mechanisms: ['SCRAM-SHA-256'] };
  if (admin.getUser(user)) admin.updateUser(user, rights);
  else admin.createUser({ user, ...rights });
}

function adminOfPrimary(name, password, options) {
  const credential = `${name}:${encodeURIComponent(password)}`;
  const direct = 'directConnection=true&serverSelectionTimeoutMS=5000';
  return new Mongo(`mongodb://${credential}@${primary}/?${options}&${direct}`).getDB('admin');
}
