import type { oidc } from '../../lib/contract/operations/oidc.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildPolicySource } from '../../lib/oidc/client-uris.ts'
import { providerPaths } from '../../lib/oidc/provider/provider-paths.ts'
import { listParameters } from '../../lib/util/object-fields.ts'

/** Lets the forms of a page lead to an address: browsers also apply the rule for forms to the redirect that follows. */
export const allowFormTarget = (
  headers: Readonly<Record<string, string>>,
  location: string,
): Record<string, string> => {
  const source = buildPolicySource(location)
  if (source === undefined) return { ...headers }
  const policy = headers['content-security-policy'] ?? ''
  return {
    ...headers,
    'content-security-policy': policy.replace("form-action 'self'", (rule) => `${rule} ${source}`),
  }
}

/*
 * Browsers do not send the session cookie with a form of another site, because of `SameSite=Lax`. They do send it when a
 * redirect turns the form into a GET.
 */

const toRedirect = (path: string, form: Readonly<Record<string, string | undefined>>) =>
  ({ status: 303, headers: { location: `${path}?${new URLSearchParams(listParameters(form))}` } }) as const

export const startAuthorizationByForm: UseCase<typeof oidc.startAuthorizationByForm> = async ({ body }) =>
  toRedirect(providerPaths.authorization, body)

export const logoutForClientByForm: UseCase<typeof oidc.logoutForClientByForm> = async ({ body }) =>
  toRedirect(providerPaths.logout, body)
