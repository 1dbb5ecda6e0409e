import { consume } from '../../lib/accounts/common/throttle.ts'
import { findSignInRoute as findRoute } from '../../lib/accounts/sign-in/sign-in-route.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { getNetwork } from '../../lib/util/network.ts'

/** Finds the identity provider that an address leads to. The request is counted before anything is looked up. */
export const findSignInRoute: UseCase<typeof sessions.findSignInRoute> = async (
  { body, context },
  services,
) => {
  await consume(services, 'signInRoutes', getNetwork(context.address))
  return { status: 200, body: { login_url: (await findRoute(services, body)) ?? null } }
}
