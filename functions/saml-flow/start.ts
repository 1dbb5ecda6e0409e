import { destinationRule, resolveDestination } from '../../lib/accounts/common/destinations.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { requireRightToLink, startSignIn } from '../../lib/accounts/saml/start-sign-in.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import { buildFlowCookie, mintFlowCookieValue, readFlowCookie } from '../../lib/http/flow-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/**
 * Leads a browser to the identity provider to sign in. `disabled_in_client` says that clients don't offer this to people;
 * it locks nobody out, since a provider has to be tried before it is offered.
 */
export const startSamlAuth: UseCase<typeof samlFlow.startSamlAuth> = async (
  { params, query, principal, origin, cookies },
  services,
) => {
  const { table, config } = services
  const destination = query.return_to === undefined ? null : resolveDestination(config, query.return_to)
  if (destination === undefined) throw invalidRequest([{ field: 'return_to', message: destinationRule }])
  const provider = await requireProvider(table, params.id)
  const linkTo = query.link ? requireRightToLink(services, principal, origin) : undefined
  // One value a browser: sign-ins in two of its tabs don't get in each other's way.
  const browser = readFlowCookie(config, cookies) ?? mintFlowCookieValue()
  const location = await startSignIn(services, provider, browser, {
    returnTo: destination?.href ?? null,
    forceAuthn: query.force_authn ?? false,
    linkTo,
  })
  return { status: 303, headers: { location }, cookies: [buildFlowCookie(config, browser)] }
}
