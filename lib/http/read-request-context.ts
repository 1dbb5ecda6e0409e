import type { RequestContext } from '../accounts/callers/request-context.ts'
import { nameDirectory, nameOrganizationToken } from '../kernel/contract/text-rules.ts'
import { findLanguage } from '../kernel/i18n/languages.ts'
import type { Config } from '../kernel/settings/config.ts'
import { omitUndefined } from '../kernel/util/object-fields.ts'
import { readDeviceCookie } from './device-cookie.ts'
import { getHeader, getSenderAddress, type HttpContext, type HttpEvent } from './http-types.ts'

/** Returns the context that use cases and audit events need of a request. */
export const readRequestContext = (
  event: HttpEvent,
  context: HttpContext,
  { config, now }: { readonly config: Config; readonly now: () => number },
): RequestContext => {
  const { principal, organization, organizationCaller, scimCaller, product } = context.requestState
  const { clientAddress, viewerCountry, requestId, ifUnchanged } = context.requestState
  return {
    address: clientAddress ?? getSenderAddress(event, context),
    ...(clientAddress !== undefined && product ? { product: product.user.id } : {}),
    userAgent: getHeader(event, 'user-agent') ?? '',
    // A product names the address of its user, but the country is that of the product.
    ...omitUndefined({ country: clientAddress === undefined ? viewerCountry : undefined }),
    ...omitUndefined({ language: findLanguage({ acceptLanguage: getHeader(event, 'accept-language') }) }),
    ...omitUndefined({ device: readDeviceCookie(config, event) }),
    requestId,
    ...omitUndefined({ ifUnchanged }),
    credential: nameCaller(context) ?? principal?.kind,
    ...omitUndefined({
      credentialId:
        organizationCaller?.token.id ??
        scimCaller?.tokenId ??
        principal?.session?.id ??
        principal?.apiToken?.id,
      actorPrincipal:
        (organizationCaller && nameOrganizationToken(organizationCaller.token.id)) ??
        (scimCaller && nameDirectory(scimCaller.connection.id)),
    }),
    actor: (principal?.actor ?? principal?.user)?.id ?? null,
    ...omitUndefined({
      organization: organization?.organization.id ?? scimCaller?.connection.organization_id ?? undefined,
      // Who impersonates a member is none.
      byMember: organization?.membership && !principal?.actor ? (true as const) : undefined,
    }),
    at: now(),
  }
}

/** The kind of a credential that belongs to no user. */
const nameCaller = ({ requestState: { organizationCaller, scimCaller } }: HttpContext) => {
  if (organizationCaller) return 'organization_token'
  return scimCaller && 'scim_token'
}
