import type { Services } from '../../services.ts'
import type { Config } from '../../settings/config.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import { resolveDestination } from '../common/destinations.ts'

/** Returns the user's start page, unless it is a path or not of an allowed origin. */
export const findStartPage = (config: Config, { defaultPage }: UserRecord): URL | undefined =>
  defaultPage.startsWith('/') ? undefined : resolveDestination(config, defaultPage)

/** The user's start page, unless it belongs to the service or not to an allowed origin. */
export const buildRedirect = ({ config }: Services, user: UserRecord): { redirect?: string } => {
  const page = findStartPage(config, user)
  return page && page.origin !== config.publicUrl ? { redirect: page.href } : {}
}
