// The health check of the image: whether the process of this container answers, wherever it does.
// A service serves its health on HEALTH_PORT, the gateway on PORT. An address as the parameter is asked instead.
const { HEALTH_PORT = '9090', PORT = '8080' } = process.env;
const own = [`http://127.0.0.1:${HEALTH_PORT}/healthz`, `http://127.0.0.1:${PORT}/healthz`];
const addresses = process.argv.length > 2 ? process.argv.slice(2) : own;

const answers = (address) =>
  fetch(address, { signal: AbortSignal.timeout(4_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
const isWell = (await Promise.all(addresses.map(answers))).some(Boolean);
process.exit(isWell ? 0 : 1);
