import { isEmailAddress } from '../../contract/text-rules.ts'
import { normalizeUsername } from './names.ts'

/**
 * Returns the name of a failed attempt as an audit event may store it, or undefined if it must not be stored. People
 * enter their password into the field for the name now and then. So of unknown names, only email addresses and short
 * names without digits in between are stored. `isKnown` says that a user has this name.
 */
export const describeTriedUsername = (entered: string, isKnown: boolean): string | undefined => {
  const name = normalizeUsername(entered)
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .slice(0, longestName)
  return name !== '' && (isKnown || isEmailAddress(name) || plainName.test(name)) ? name : undefined
}

const longestName = 100

/** Words of letters, with up to two digits at the end, such as `j.smith2`. Shorter than a password has to be. */
const plainName = /^(?=.{1,14}$)\p{L}+(?:[._-]\p{L}+)*\d{0,2}$/u
