import type { branding } from '../../lib/contract/operations/branding.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { logoCacheMs, logosCached } from '../../lib/limits/limits.ts'
import type { Services } from '../../lib/services.ts'
import { findLogo, type LogoRecord } from '../../lib/store/branding/branding.ts'

const headers = {
  // The address contains the hash of the image, so another image has another address.
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened on its own, even a file that is also a valid page can run nothing.
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  // Email programs and the pages of products show it as well.
  'cross-origin-resource-policy': 'cross-origin',
} as const

export const getLogo: UseCase<typeof branding.getLogo> = async ({ params: { hash } }, services) => {
  const logo = /^[0-9a-f]{64}$/.test(hash) ? await readLogo(services, hash) : undefined
  const { contentType, data } = requireFound(logo)
  return {
    status: 200,
    headers: { ...headers, 'content-type': contentType },
    body: Buffer.from(data, 'base64'),
  }
}

interface CachedLogo {
  readonly at: number
  readonly logo: LogoRecord
}

const cached = new Map<string, CachedLogo>()

/** Keeps the latest logos in memory. A read takes about 40 read units. */
const readLogo = async ({ table, now }: Services, hash: string): Promise<LogoRecord | undefined> => {
  const known = cached.get(hash)
  if (known && Math.abs(now() - known.at) < logoCacheMs) return known.logo
  // Deleted first, so that the first entry of the map is always the oldest.
  cached.delete(hash)
  const logo = await findLogo(table, hash, now())
  if (logo) cached.set(hash, { at: now(), logo })
  const [oldest = ''] = cached.keys()
  if (cached.size > logosCached) cached.delete(oldest)
  return logo
}
