import { hasVerifiedEmail } from '../../store/directory/guest-state.ts'
import { NotUnique } from '../../store/directory/not-unique.ts'
import { editUser } from '../../store/directory/users.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { normalizeEmail } from '../common/names.ts'
import { auditStep } from '../common/request-context.ts'
import { buildEmailState } from '../emails/email-state.ts'
import { endOtherClaims } from '../emails/other-claims.ts'
import type { SamlAssertionContext } from './assertion-use.ts'
import type { SamlProfile } from './profile.ts'
import { isTrustedAddress } from './trusted-email-domains.ts'

/**
 * Confirms the unconfirmed address of a user if a provider that is trusted for it asserts the same one. A provider never
 * changes the address of an existing user. If another account has the address, the user stays as they are.
 */
export const verifyTrustedEmail = async (
  { services, provider, context, use }: SamlAssertionContext,
  user: UserRecord,
  { email }: SamlProfile,
): Promise<UserRecord> => {
  if (email === null || user.email === null || hasVerifiedEmail(user)) return user
  if (normalizeEmail(email) !== user.normalizedEmail || !isTrustedAddress(provider, email)) return user
  await use.reserve()
  const target = `saml:${provider.id}`
  const extraSteps = [auditStep(context, 'email.confirmed', { user: user.id, target })]
  const changes = { ...buildEmailState(true), emailConfirmation: undefined }
  try {
    const verified = await editUser(services.table, user, changes, { extraSteps })
    await endOtherClaims(services, context, verified)
    return verified
  } catch (error) {
    if (error instanceof NotUnique) return user
    throw error
  }
}
