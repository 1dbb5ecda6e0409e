import { createHash, timingSafeEqual } from 'node:crypto'
import type { Services } from '../services.ts'
import { originSecretHeader } from '../settings/internal-settings.ts'
import { getHeader, type HttpResult, type Middleware } from './http-types.ts'
import { toHeadResult } from './methods.ts'

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
      // Ends the request: no other step runs.
      return toHeadResult(event, { ...forbidden })
    },
  }
}

/** Digests have the same length, which a comparison in constant time requires. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
