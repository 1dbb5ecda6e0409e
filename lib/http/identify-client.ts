import { createHash, timingSafeEqual } from 'node:crypto'
import { hasPermission } from '../accounts/callers/permissions.ts'
import type { Principal } from '../accounts/callers/principal.ts'
import { authenticate, detectCredentialKind } from '../features/sign-in/authentication.ts'
import { clientAddressHeader, clientAddressPermission } from '../kernel/contract/permissions.ts'
import { AppError, invalidRequest } from '../kernel/errors/errors.ts'
import { originSecretHeader } from '../kernel/settings/internal-settings.ts'
import type { Services } from '../services.ts'
import { readBearer } from './authenticate.ts'
import {
  getHeader,
  getOperation,
  getSenderAddress,
  type HttpEvent,
  type HttpResult,
  type Middleware,
} from './http-types.ts'
import { toHeadResult } from './respond.ts'

/** Has the form of an answer of API Gateway, because the request never reaches an operation. */
export const forbidden: HttpResult = {
  statusCode: 403,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({ message: 'Forbidden' }),
}

/**
 * Refuses requests that did not come through the front door, if there is one. Past it, CloudFront and WAF have not
 * checked the request, and its headers could name any address. A wrong secret is refused even where direct requests are allowed.
 */
export const requireFrontDoor = ({ config, log }: Services): Middleware => {
  const digests = config.originSecrets.map(digest)
  return {
    before: ({ event, context: { requestState } }) => {
      if (digests.length === 0) return
      const secret = getHeader(event, originSecretHeader.toLowerCase())
      if (secret === undefined && config.allowDirectRequests) return
      const given = digest(secret ?? '')
      // Every comparison runs, so that the time does not depend on which secret matches.
      if (digests.map((expected) => timingSafeEqual(expected, given)).includes(true)) {
        requestState.isFromFrontDoor = true
        return
      }
      log.info('request.refused', {
        request_id: requestState.requestId,
        status: forbidden.statusCode,
        address: event.requestContext.http.sourceIp,
      })
      // Ends the request: no other middleware runs.
      return toHeadResult(event, { ...forbidden })
    },
  }
}

/** Digests have the same length, which a comparison in constant time requires. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Lets the server of a product name the address of its user. The address then counts for limits, known networks and audit
 * events. Without the header, the address of the connection counts, and no credential is read.
 *
 * A header without the right credential is refused instead of ignored. Otherwise a product with an expired token would
 * not notice that all its users count as one.
 */
export const identifyClient = (services: Services): Middleware => ({
  before: async ({ event, context }) => {
    const header = getHeader(event, clientAddressHeader.toLowerCase())
    if (header === undefined || !getOperation(context).acceptsProduct) return
    // Loaded on demand, because few requests have the header.
    const { readClientAddress } = await import('./viewer-address.ts')
    const address = readClientAddress(header)
    if (address === undefined)
      throw invalidRequest([{ field: clientAddressHeader, message: 'must be one IPv4 or IPv6 address' }])
    const product = await requireProduct(services, event, getSenderAddress(event, context))
    context.requestState.product = product
    await requireRightToNameAddress(services, product)
    context.requestState.clientAddress = address
  },
})

const requireProduct = async (services: Services, event: HttpEvent, address: string): Promise<Principal> => {
  const bearer = readBearer(event) ?? ''
  const isApiToken = detectCredentialKind(bearer) === 'api_token'
  const product = isApiToken ? await authenticate(services, bearer, 'api_token', { address }) : undefined
  if (product) return product
  throw new AppError('not_authenticated', {
    detail: `The header ${clientAddressHeader} requires a valid API token as bearer credential.`,
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** The scope must be named. A token for something else, also one without scopes, must not change addresses if it leaks. */
const requireRightToNameAddress = async ({ table }: Services, { user, scopes }: Principal): Promise<void> => {
  if (!scopes?.includes(clientAddressPermission))
    throw new AppError('permission_denied', {
      reason: 'insufficient_scope',
      detail: `The header ${clientAddressHeader} requires an API token with the scope ${clientAddressPermission}.`,
      headers: {
        'www-authenticate': `Bearer error="insufficient_scope", scope="${clientAddressPermission}"`,
      },
    })
  if (!(await hasPermission(table, user, clientAddressPermission)))
    throw new AppError('permission_denied', {
      detail: `The owner of the API token needs the permission ${clientAddressPermission}.`,
    })
}

/** Finds the address of the viewer. Without front door and trusted proxies, the address of the connection counts. */
export const identifyViewer = ({ config: { trustedProxies } }: Services): Middleware => ({
  before: async ({ event, context: { requestState } }) => {
    const { isFromFrontDoor } = requestState
    if (!trustedProxies && !isFromFrontDoor) return
    // Loaded on demand, because most services have neither.
    const { findViewerAddress, findViewerCountry } = await import('./viewer-address.ts')
    requestState.viewerAddress = findViewerAddress(event, { trustedProxies, isFromFrontDoor })
    const country = isFromFrontDoor ? findViewerCountry(event) : undefined
    if (country) requestState.viewerCountry = country
  },
})
