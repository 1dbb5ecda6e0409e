import { limitWait } from '../../lib/accounts/common/kept-read.ts'
import { readPendingClient } from '../../lib/http/oidc-cookie.ts'
import { signInOptionsReadMs } from '../../lib/limits/limits.ts'
import { providerPaths } from '../../lib/oidc/provider/provider-paths.ts'
import type { Services } from '../../lib/services.ts'
import { findOidcClient } from '../../lib/store/oidc/clients.ts'
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
  const { config, table, log, now } = services
  const pending = readPendingClient(config, cookies)
  if (!pending || pending.expiresAt <= now()) return undefined
  if (returnUrl.href !== `${config.publicUrl}${providerPaths.interaction}/${pending.uid}`) return undefined
  try {
    return await limitWait(findOidcClient(table, pending.clientId), signInOptionsReadMs)
  } catch (error) {
    log.warn('pending_client.not_read', { error })
    return undefined
  }
}
