import { reauthenticate } from '../../lib/accounts/sign-in/reauthentication.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Confirms the identity of the caller, so that their session may change credentials for a while. */
export const confirmIdentity: UseCase<typeof sessions.confirmIdentity> = async (
  { body, principal, context },
  services,
) => {
  await reauthenticate(services, principal, body, context)
  return { status: 204 }
}
