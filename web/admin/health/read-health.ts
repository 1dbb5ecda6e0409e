import type { Health } from '../../../lib/client/generated/models.ts'
import { client } from '../../session-kit/client.ts'

/**
 * Reads how each part of the service works. The typed client rejects a 503, and its body names the parts that fail.
 *
 * @throws LatchkeyError if the service does not answer with its health
 */
export const readHealth = async (signal: AbortSignal): Promise<Health> => {
  const response = await fetch('/api/2/health?deep=true', { signal }).catch(() => undefined)
  return response?.status === 503 && response.headers.get('content-type')?.startsWith('application/json')
    ? response.json()
    : client.health.getHealth({ deep: true }, { signal })
}
