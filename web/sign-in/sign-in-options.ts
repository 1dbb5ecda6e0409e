import { pageData } from '../kit/page-data.ts'
import { findPendingLink } from './pending-link.ts'
import { readSignInRequest } from './sign-in-request.ts'

export const request = readSignInRequest()

/** Where the page leads to. Undefined if its address does not say, or the service refuses it. */
export const returnTo = pageData.returnTarget === 'refused' ? undefined : request.returnTo

/** The product that the person signs in to. */
export const targetName =
  pageData.returnTarget !== null && pageData.returnTarget !== 'refused' && pageData.returnTarget.isExternal
    ? pageData.returnTarget.name
    : pageData.brand.productName

/** The address where the sign-in with an identity provider starts. It never contains the token of an access link. */
export const buildProviderUrl = (id: number): string => {
  const target = findPendingLink() ? '/' : returnTo
  const query = new URLSearchParams({
    ...(target === undefined ? {} : { return_to: target }),
    ...(request.requiresSignIn ? { force_authn: 'true' } : {}),
  })
  return `/api/2/auth/saml/${id}/sso${query.size > 0 ? `?${query}` : ''}`
}
