import type { CustomFetch } from 'openid-client'
import { metadataBytes, metadataFetchMs } from '../../../kernel/limits/connection-limits.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import { getFetchRules } from '../address-rules.ts'
import { FetchError } from '../fetch-error.ts'
import { BodyError, knownEncodings, readLimited } from '../read-limited.ts'
import { sendSafely } from '../ssrf-safe-request.ts'
import { readMetadataAddress } from '../web-address.ts'

/**
 * Sends the requests of `openid-client`, under the rules for metadata: https on port 443 of a public address, without
 * redirects. A discovery document names the other addresses, so each of them is checked again.
 *
 * @throws FetchError
 */
export const createSafeFetch =
  (config: Config): CustomFetch =>
  async (address, { method, headers, body }) => {
    const rules = getFetchRules(config)
    const found = readMetadataAddress(address, rules)
    if (typeof found === 'string') throw new FetchError('address')
    const text = body === undefined || body === null ? undefined : String(body)
    const sent = {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: {
        ...headers,
        'accept-encoding': knownEncodings,
        ...(text !== undefined && { 'content-length': String(Buffer.byteLength(text)) }),
      },
      ...omitUndefined({ body: text }),
      timeoutMs: metadataFetchMs,
    } as const
    return sendSafely(found.url, sent, rules, async (response) => {
      const { statusCode = 0, headers: received } = response
      if (statusCode >= 300 && statusCode < 400) throw new FetchError('redirect')
      if (statusCode >= 500 || statusCode < 200) throw new FetchError('status')
      const bytes = await readLimited(response, received['content-encoding'] ?? '', metadataBytes).catch(
        (error: unknown) => {
          throw new FetchError(error instanceof BodyError ? error.part : 'answer')
        },
      )
      const contentType = received['content-type'] ?? 'application/octet-stream'
      return new Response(hasNoBody(statusCode) ? null : new Uint8Array(bytes), {
        status: statusCode,
        headers: { 'content-type': contentType, ...getChallenge(received['www-authenticate']) },
      })
    })
  }

const hasNoBody = (status: number): boolean => status === 204 || status === 205

const getChallenge = (challenge: string | undefined) =>
  challenge === undefined ? {} : { 'www-authenticate': challenge }
