import { recorded } from '../../lib/accounts/visitor.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers.ts'
import { conflict, notFound } from '../../lib/core/errors.ts'
import { endedSessionMemoryMs, samlSignOutMs } from '../../lib/core/limits.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { endSessionsOfProvider } from '../../lib/store/end-saml-sessions.ts'
import { clearProviderLeftovers } from '../../lib/store/saml-leftovers.ts'
import { deleteSamlProvider as deleteStored, findSamlProvider } from '../../lib/store/saml-providers.ts'

/**
 * Deletes a provider. Nobody signs in through it from the first write on; then the flows that were under way and the
 * sessions made through it end. Once more, it goes on with what was interrupted.
 */
export const deleteSamlProvider: UseCase<typeof samlProviders.deleteSamlProvider> = async (
  { params, visitor },
  { table, now },
) => {
  const provider = await findSamlProvider(table, params.id)
  if (provider)
    await deleteStored(table, provider, [
      recorded(visitor, 'saml_provider.deleted', { target: String(params.id) }),
    ])
  const hadFlows = await clearProviderLeftovers(table, params.id)
  const until = now() + samlSignOutMs
  const sessions = await endSessionsOfProvider(table, params.id, {
    nowMs: now(),
    memoryMs: endedSessionMemoryMs,
    along: ({ userId, id }) => [recorded(visitor, 'session.ended', { user: userId, target: String(id) })],
    mayGoOn: () => now() < until,
  })
  if (!sessions.isComplete)
    throw conflict(
      'The provider is deleted, but not all of its sessions have ended yet: send this once more.',
    )
  if (!provider && !hadFlows && sessions.ended === 0) throw notFound()
  return { status: 204 }
}
