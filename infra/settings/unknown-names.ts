import { findNearestName } from '../../lib/util/nearest-name.ts'

/** Lists the names that are not known, as a sentence each, with the name that was probably meant. */
export const findUnknownNames = (
  names: readonly string[],
  known: readonly string[],
  where: string,
): readonly string[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = findNearestName(name, known)
      const advice = nearest ? `Did you mean ${nearest}?` : `The settings are: ${known.join(', ')}.`
      return `${where} the unknown setting "${name}". ${advice}`
    })
