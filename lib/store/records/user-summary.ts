import { foldText } from '../../util/fold-text.ts'
import type { UserRecord } from './user-record.ts'

/** What filters compare. Texts are in the form of `foldText`. */
export interface UserSummary {
  /** The username as the list by name sorts it. Its form for searches can differ. */
  readonly normalizedUsername: string
  readonly email: string
  readonly fullName: string
  readonly isEnabled: boolean
  readonly isCloud: boolean
  readonly home: number | null
  readonly states: UserStates
}

/** What an entry says about states that the record decides. */
export interface UserStates {
  /** Whether the address of a guest is verified depends on their rights, which can change without their entry. */
  readonly email: 'verified' | 'unverified' | 'none' | 'guest'
  /** An open invitation may have expired or ended. */
  readonly invitation: 'none' | 'open' | 'accepted'
}

export type SummarizedUser = Pick<
  UserRecord,
  | 'normalizedUsername'
  | 'email'
  | 'emailVerified'
  | 'fullName'
  | 'isEnabled'
  | 'isGuest'
  | 'hostFields'
  | 'invitation'
>

export const summarizeUser = (user: SummarizedUser): UserSummary => ({
  normalizedUsername: user.normalizedUsername,
  email: foldText(user.email ?? ''),
  fullName: foldText(user.fullName ?? ''),
  isEnabled: user.isEnabled,
  isCloud: user.hostFields.isCloud,
  home: user.hostFields.home,
  states: { email: getListedEmail(user), invitation: getListedInvitation(user) },
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
