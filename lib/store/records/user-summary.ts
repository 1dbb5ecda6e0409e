import { foldText } from '../../core/fold-text.ts'
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
}

export type SummarizedUser = Pick<
  UserRecord,
  'normalizedUsername' | 'email' | 'fullName' | 'isEnabled' | 'hostFields'
>

export const summarizeUser = (user: SummarizedUser): UserSummary => ({
  normalizedUsername: user.normalizedUsername,
  email: foldText(user.email ?? ''),
  fullName: foldText(user.fullName ?? ''),
  isEnabled: user.isEnabled,
  isCloud: user.hostFields.isCloud,
  home: user.hostFields.home,
})
