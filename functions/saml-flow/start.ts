import { destinationRule, resolveDestination } from '../../lib/accounts/common/destinations.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { requireRightToLink, startSignIn } from '../../lib/accounts/saml/start-sign-in.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import { buildFlowCookie, mintFlowCookieValue, readFlowCookie } from '../../lib/http/flow-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/**
 * Redirects a browser to the identity provider to sign in. Sign-in also works with `disabled_in_client`, which only
 * hides the provider in clients, because administrators must be able to test a provider first.
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
  // The value belongs to the browser, so that concurrent sign-ins in two tabs work.
  const browser = readFlowCookie(config, cookies) ?? mintFlowCookieValue()
  const location = await startSignIn(services, provider, browser, {
    returnTo: destination?.href ?? null,
    forceAuthn: query.force_authn ?? false,
    linkTo,
  })
  return { status: 303, headers: { location }, cookies: [buildFlowCookie(config, browser)] }
}
