/** Returns the parameters that have a value. One without a value counts as missing (RFC 6749 3.1). */
export const listParameters = (given: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
