import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { resolveDestination } from '../common/destinations.ts'

/** The user's start page, unless it is a path of the service or not of an allowed origin. */
export const buildRedirect = ({ config }: Services, user: UserRecord): { redirect?: string } => {
  const page = user.defaultPage.startsWith('/') ? undefined : resolveDestination(config, user.defaultPage)
  return page && page.origin !== config.publicUrl ? { redirect: page.href } : {}
}
