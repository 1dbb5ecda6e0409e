import { limitWait } from '../../lib/accounts/common/limit-wait.ts'
import { signInOptionsReadMs } from '../../lib/core/limits.ts'
import { readOidcCookie } from '../../lib/http/oidc-cookie.ts'
import { providerPaths } from '../../lib/oidc/provider/provider-paths.ts'
import type { Services } from '../../lib/services.ts'
import { findOidcClient } from '../../lib/store/oidc/clients.ts'
import { findOidcInteraction } from '../../lib/store/oidc/interactions.ts'
import { hashOidcValue } from '../../lib/store/oidc/tokens.ts'
import type { OidcClient } from '../../lib/store/records/oidc-client-record.ts'

/**
 * Finds the OpenID Connect client whose authorization continues at `returnUrl`. Only the browser that started the
 * authorization gets it, so that no one can choose for others what the page says. It never fails and waits a moment at
 * most: without an answer of the table, there is no client.
 */
export const findPendingClient = async (
  services: Services,
  returnUrl: URL,
  cookies: readonly string[],
): Promise<OidcClient | undefined> => {
  const { config, log } = services
  const browser = readOidcCookie(config, cookies)
  const prefix = `${config.publicUrl}${providerPaths.interaction}/`
  const uid = returnUrl.href.startsWith(prefix) ? returnUrl.href.slice(prefix.length) : ''
  if (browser === undefined || !/^[\w-]{1,100}$/.test(uid)) return undefined
  try {
    return await limitWait(readClient(services, uid, hashOidcValue(browser)), signInOptionsReadMs)
  } catch (error) {
    log.warn('pending_client.not_read', { error })
    return undefined
  }
}

const readClient = async (
  { table, now }: Services,
  uid: string,
  browser: string,
): Promise<OidcClient | undefined> => {
  const interaction = await findOidcInteraction(table, uid, now())
  if (interaction?.browser !== browser) return undefined
  const { params } = interaction.payload
  const clientId = typeof params === 'object' && params !== null && 'client_id' in params && params.client_id
  return typeof clientId === 'string' ? findOidcClient(table, clientId) : undefined
}
