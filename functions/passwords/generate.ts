import { consume } from '../../lib/accounts/common/throttle.ts'
import { generateFromPolicy } from '../../lib/accounts/passwords/generate.ts'
import { loadPolicyFor } from '../../lib/accounts/passwords/policy.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import { conflict } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Generates a password that meets the policy, so that the caller can use it without changes. */
export const generatePassword: UseCase<typeof passwords.generatePassword> = async (
  { principal: { user } },
  services,
) => {
  await consume(services, 'passwordToolUses', String(user.id))
  const { password } = await generateFromPolicy(services, await loadPolicyFor(services, user), user)
  if (password === undefined)
    throw conflict('No password satisfies the current password policy. Ask an administrator to relax it.')
  return { status: 200, body: { password } }
}
