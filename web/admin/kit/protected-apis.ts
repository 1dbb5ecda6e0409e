import type { ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { client } from '../../session-kit/client.ts'
import { type Loaded, useLoaded } from '../../session-kit/use-loaded.ts'

/** More than there can be. */
const limit = 100

/** Loads all registered APIs. */
export const useProtectedApis = (): Loaded<readonly ProtectedAPI[]> =>
  useLoaded(async (options) => (await client.oidcClients.listProtectedApis({ limit }, options)).items)
