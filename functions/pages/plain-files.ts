import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { favicon } from './favicon.prebuilt.ts'

const icon = Buffer.from(favicon, 'base64')

/** Browsers request the icon on their own for every address of the service, so they keep it for a week. */
export const getFavicon: UseCase<typeof pages.getFavicon> = async () => ({
  status: 200,
  headers: { 'cache-control': 'public, max-age=604800, immutable' },
  body: icon,
})

/** Pages have nothing to search for, and links in emails are for their recipients alone. */
export const getRobots: UseCase<typeof pages.getRobots> = async () => ({
  status: 200,
  headers: { 'cache-control': 'public, max-age=86400' },
  body: 'User-agent: *\nDisallow: /\n',
})
