import { pageData } from '../../kit/start-path.ts'

/** What an administrator's own account lacks, as it was when the console was opened. */
type Lack = 'email' | 'secondFactor'

/** An administrator without an address cannot be helped by email, and a password alone can be stolen. */
export const listOwnLacks = (): readonly Lack[] => {
  const { account, user, sendsEmail } = pageData
  if (!account || !user || user.impersonatedBy) return []
  const { profile, canHavePasskeys } = account
  const hasAddress = Boolean(profile.email) && profile.email_verified !== false
  const hasSecondFactor = profile.totp_enabled || user.confirmation.hasPasskey
  return [
    ...(sendsEmail && !hasAddress ? (['email'] as const) : []),
    // Where an identity provider signs them in, the second factor is there.
    ...(canHavePasskeys && !hasSecondFactor ? (['secondFactor'] as const) : []),
  ]
}
