import { spend } from '../../lib/accounts/common/throttle.ts'
import { createGenerator } from '../../lib/accounts/passwords/generate.ts'
import { systemPolicy } from '../../lib/accounts/passwords/policy.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import { conflict } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Makes up a password that the caller could choose as it is. */
export const generatePassword: UseCase<typeof passwords.generatePassword> = async (
  { principal: { user } },
  services,
) => {
  await spend(services, 'passwordToolUses', String(user.id))
  const generate = createGenerator(await systemPolicy(services))
  const { password } = await generate(services, user)
  if (password === undefined)
    throw conflict('The password policy leaves no password that could be made up. Ask an administrator.')
  return { status: 200, body: { password } }
}
