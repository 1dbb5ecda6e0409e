import { consume } from '../../lib/accounts/common/throttle.ts'
import { evaluate } from '../../lib/accounts/passwords/evaluate.ts'
import { splitWords } from '../../lib/accounts/passwords/own-names.ts'
import { checkPolicy, loadPolicyFor } from '../../lib/accounts/passwords/policy.ts'
import { readPolicy, toPolicyBody } from '../../lib/accounts/passwords/policy-body.ts'
import { estimateStrength } from '../../lib/accounts/passwords/strength.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/**
 * Checks a password against a policy. With the policy of the service, the result is the same as if the caller chose the
 * password. A custom policy is checked alone, without the caller's names and the limits of the service.
 */
export const evaluatePassword: UseCase<typeof passwords.evaluatePassword> = async (
  { body, principal: { user } },
  services,
) => {
  await consume(services, 'passwordToolUses', String(user.id))
  const { password, custom_policy: custom } = body
  const policy = custom
    ? await checkPolicy(readPolicy(custom), 'custom_policy.')
    : await loadPolicyFor(services, user)
  const strength = await estimateStrength(password, splitWords(user))
  const problems = await evaluate(services, password, policy, { strength, ...(custom ? {} : { user }) })
  return {
    status: 200,
    body: {
      errors: problems.map(({ message }) => message),
      time_to_crack: strength.secondsToCrack,
      ...(custom ? {} : { username: user.username, policy: toPolicyBody(policy) }),
    },
  }
}
