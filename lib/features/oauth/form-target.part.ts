import type { UseCase } from '../../http/use-case.ts'
import { listParameters } from '../../kernel/util/object-fields.ts'
import type { oidc } from './operations.ts'
import { providerPaths } from './provider/provider-paths.ts'

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
