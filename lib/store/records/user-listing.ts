import type { ListEntry } from '../engine/listing.ts'
import { carryText, userListing } from '../engine/listing-keys.ts'
import type { UserRecord } from './user-record.ts'
import { type SummarizedUser, summarizeUser, type UserStates, type UserSummary } from './user-summary.ts'

/*
 * The entry of a user in the list by ID carries what filters compare: see `search-listing.ts`. Entries of users
 * with very long names carry nothing. Then the record decides.
 */

const separator = '\n'

/** The entry of a user in the listing index, in order of ID. */
export const buildUserListing = (
  user: SummarizedUser & Pick<UserRecord, 'id'>,
): ReturnType<typeof userListing> => carryText(userListing(user.id), formatSummary(summarizeUser(user)))

const formatSummary = ({ normalizedUsername, email, fullName, states, ...rest }: UserSummary): string =>
  [
    `${rest.isEnabled ? 'e' : 'd'}${rest.isCloud ? 'c' : '-'}${rest.home ?? ''}`,
    normalizedUsername,
    email,
    fullName,
    `${emailLetters[states.email]}${invitationLetters[states.invitation]}`,
  ].join(separator)

const emailLetters = { verified: 'v', unverified: 'u', none: '-', guest: 'g' } as const
const invitationLetters = { none: '-', open: 'o', accepted: 'a' } as const

const readLetter = <Name extends string>(
  letters: Readonly<Record<Name, string>>,
  given: string | undefined,
): Name | undefined => (Object.keys(letters) as Name[]).find((name) => letters[name] === given)

const readStates = (letters: string | undefined): UserStates | undefined => {
  const email = readLetter(emailLetters, letters?.[0])
  const invitation = readLetter(invitationLetters, letters?.[1])
  return email && invitation ? { email, invitation } : undefined
}

/** Undefined if the entry carries nothing. */
export const readSummary = ({ text }: ListEntry): UserSummary | undefined => {
  const [flags, normalizedUsername, email, fullName, letters, ...more] = text?.split(separator) ?? []
  const states = readStates(letters)
  if (!flags || normalizedUsername === undefined || email === undefined || fullName === undefined)
    return undefined
  if (!states || more.length > 0) return undefined
  const home = flags.slice(2)
  return {
    normalizedUsername,
    email,
    fullName,
    isEnabled: flags.startsWith('e'),
    isCloud: flags[1] === 'c',
    home: home === '' ? null : Number(home),
    states,
  }
}
