import { carryText, userListing } from '../../kernel/table/keys/listing-keys.ts'
import type { ListEntry } from '../../kernel/table/listing.ts'
import { buildTotalSteps } from '../../kernel/table/totals.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import { summarizeClientFields } from '../../published-clients/stored-fields.ts'
import { isGuestUser } from './guest-state.records.ts'
import type { UserRecord } from './stored-user.records.ts'

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
    `${rest.isEnabled ? 'e' : 'd'}${rest.clientFields}`,
    normalizedUsername,
    email,
    fullName,
    emailLetters[states.email] +
      invitationLetters[states.invitation] +
      originLetters[states.origin] +
      rest.createdAt.toString(36),
  ].join(separator)

const emailLetters = { verified: 'v', unverified: 'u', none: '-', guest: 'g' } as const
const invitationLetters = { none: '-', open: 'o', accepted: 'a' } as const
const originLetters = { account: '-', link: 'l' } as const

const readLetter = <Name extends string>(
  letters: Readonly<Record<Name, string>>,
  given: string | undefined,
): Name | undefined => (Object.keys(letters) as Name[]).find((name) => letters[name] === given)

const readStates = (letters: string | undefined): UserStates | undefined => {
  const email = readLetter(emailLetters, letters?.[0])
  const invitation = readLetter(invitationLetters, letters?.[1])
  const origin = readLetter(originLetters, letters?.[2])
  return email && invitation && origin ? { email, invitation, origin } : undefined
}

/** Undefined if the entry carries nothing. */
export const readSummary = ({ text }: ListEntry): UserSummary | undefined => {
  const [flags, normalizedUsername, email, fullName, letters, ...more] = text?.split(separator) ?? []
  const states = readStates(letters)
  const createdAt = Number.parseInt(letters?.slice(3) ?? '', 36)
  if (!flags || normalizedUsername === undefined || email === undefined || fullName === undefined)
    return undefined
  if (!states || Number.isNaN(createdAt) || more.length > 0) return undefined
  return {
    normalizedUsername,
    email,
    fullName,
    isEnabled: flags.startsWith('e'),
    clientFields: flags.slice(1),
    states,
    createdAt,
  }
}

/** What filters compare. Texts are in the form of `foldText`. */
export interface UserSummary {
  /** The username as the list by name sorts it. Its form for searches can differ. */
  readonly normalizedUsername: string
  readonly email: string
  readonly fullName: string
  readonly isEnabled: boolean
  /** What filters of published clients compare: see `summarizeClientFields`. */
  readonly clientFields: string
  readonly states: UserStates
  /** When the person registered first, in epoch milliseconds. */
  readonly createdAt: number
}

/** What an entry says about states that the record decides. */
export interface UserStates {
  /** Whether the address of a guest is verified depends on their rights, which can change without their entry. */
  readonly email: 'verified' | 'unverified' | 'none' | 'guest'
  /** An open invitation may have expired or ended. */
  readonly invitation: 'none' | 'open' | 'accepted'
  /** Whether an access link created the user. They are a guest unless they got rights, which can change without their entry. */
  readonly origin: 'account' | 'link'
}

export type SummarizedUser = Pick<
  UserRecord,
  | 'normalizedUsername'
  | 'email'
  | 'emailVerified'
  | 'full_name'
  | 'is_enabled'
  | 'isGuest'
  | 'attributes'
  | 'invitation'
  | 'createdAt'
  | 'registeredAt'
>

export const summarizeUser = (user: SummarizedUser): UserSummary => ({
  normalizedUsername: user.normalizedUsername,
  email: foldText(user.email ?? ''),
  fullName: foldText(user.full_name ?? ''),
  isEnabled: user.is_enabled,
  clientFields: summarizeClientFields(user.attributes),
  states: {
    email: getListedEmail(user),
    invitation: getListedInvitation(user),
    origin: user.isGuest ? 'link' : 'account',
  },
  createdAt: user.registeredAt ?? user.createdAt,
})

const getListedEmail = ({ email, emailVerified, isGuest }: SummarizedUser): UserStates['email'] => {
  if (email === null) return 'none'
  if (isGuest) return 'guest'
  return emailVerified === false ? 'unverified' : 'verified'
}

const getListedInvitation = ({ invitation }: SummarizedUser): UserStates['invitation'] => {
  if (!invitation) return 'none'
  return invitation.acceptedAt === undefined ? 'open' : 'accepted'
}

export type CountedUser = Pick<
  UserRecord,
  'isGuest' | 'is_external' | 'permissions' | 'groups' | 'successorId'
>

/** Builds the step that counts the users of the lists, and the guests among them. A guest who was replaced is in no list. */
export const buildUserTotalSteps = (
  before: CountedUser | undefined,
  after: CountedUser | undefined,
  block?: number,
): readonly Step[] => {
  const count = (user: CountedUser | undefined, isCounted: (listed: CountedUser) => boolean): number =>
    user && user.successorId === undefined && isCounted(user) ? 1 : 0
  return buildTotalSteps(
    {
      user: count(after, () => true) - count(before, () => true),
      guest: count(after, isGuestUser) - count(before, isGuestUser),
    },
    block,
  )
}
