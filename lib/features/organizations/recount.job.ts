import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { organizationRecountKey } from '../../kernel/table/keys/organization-keys.ts'
import { getIds, getListing, readEntries } from '../../kernel/table/listing.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { replaceSettings } from '../../kernel/table/replace-settings.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { recountOrganization } from './recount.ts'

/** How far the present round is. A round takes each organization once. */
interface RecountProgress {
  /** When the round started, in epoch milliseconds. */
  readonly startedAt: number
  /** Where the list continues. Missing at the end of the round. */
  readonly after?: string | undefined
  readonly isDone: boolean
  readonly version: number
}

const codec = createCodec<RecountProgress>('recount of organizations', {
  startedAt: 'number',
  isDone: 'boolean',
  version: 'number',
})

interface RecountSummary {
  readonly counted: number
  readonly repaired: number
}

const organizationsAtOnce = 50

/** Recounts the members of all organizations, each once a day. What one run has no time for, the next one does. */
export const recountOrganizations = async (
  services: Services,
  context: RequestContext,
  hasTime: () => boolean,
): Promise<RecountSummary> => {
  const { table, now, log } = services
  let [counted, repaired] = [0, 0]
  let progress = await findRecord(table, codec, organizationRecountKey)
  if (progress?.isDone && now() - progress.startedAt < day) return { counted, repaired }
  let position: Omit<RecountProgress, 'version'> =
    progress && !progress.isDone ? progress : { startedAt: now(), isDone: false }
  while (!position.isDone && hasTime()) {
    const request = { after: position.after, limit: organizationsAtOnce, isDescending: false }
    const entries = await readEntries(table, getListing('organization', 'id'), request)
    for (const organization of getIds(entries)) {
      try {
        if (await recountOrganization(services, context, organization)) repaired++
        counted++
      } catch (error) {
        log.error('organization.not_recounted', { organization, error })
      }
    }
    position = {
      startedAt: position.startedAt,
      isDone: entries.length < organizationsAtOnce,
      ...omitUndefined({ after: entries.at(-1)?.indexKey }),
    }
    try {
      const change = { key: organizationRecountKey, before: progress, fields: position }
      await replaceSettings(table, change, [])
    } catch (error) {
      // Another run goes on.
      if (error instanceof EditConflict) break
      throw error
    }
    progress = { ...position, version: (progress?.version ?? 0) + 1 }
  }
  return { counted, repaired }
}
