type Value = Readonly<Record<string, unknown>>;

/** The operators of LangGraph's own stores. */
const operators: Readonly<Record<string, (actual: unknown, wanted: unknown) => boolean>> = {
  $eq: (actual, wanted) => isEqual(actual, wanted),
  $ne: (actual, wanted) => !isEqual(actual, wanted),
  $gt: (actual, wanted) => Number(actual) > Number(wanted),
  $gte: (actual, wanted) => Number(actual) >= Number(wanted),
  $lt: (actual, wanted) => Number(actual) < Number(wanted),
  $lte: (actual, wanted) => Number(actual) <= Number(wanted),
  $in: (actual, wanted) => Array.isArray(wanted) && wanted.some((each) => isEqual(actual, each)),
  $nin: (actual, wanted) => !(Array.isArray(wanted) && wanted.some((each) => isEqual(actual, each))),
};

/**
 * Whether the fields of a value are as a filter wants them: equal, or as its operators say.
 *
 * @throws TypeError for an operator that does not exist
 */
export function meets(value: Value, filter: Value): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const actual = Object.hasOwn(value, field) ? value[field] : undefined;
    return hasOperators(wanted) ? meetsAll(actual, wanted) : isEqual(actual, wanted);
  });
}

function hasOperators(wanted: unknown): wanted is Value {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return false;
  const names = Object.keys(wanted);
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

function meetsAll(actual: unknown, wanted: Value): boolean {
  return Object.entries(wanted).every(([name, operand]) => {
    const operator = operators[name];
    if (!operator)
      throw new TypeError(`Unknown operator ${name} in a filter: use ${Object.keys(operators).join(', ')}`);
    return operator(actual, operand);
  });
}

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqual((left as Value)[name], (right as Value)[name]));
}
