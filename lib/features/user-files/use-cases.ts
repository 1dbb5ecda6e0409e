import { writeAudit } from '../../accounts/events/write-event.ts'
import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { isThrottled } from '../../kernel/table/engine-failure.ts'
import { getIds, getListing, mapRows, readPage } from '../../kernel/table/listing.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { retry } from '../../kernel/util/work.ts'
import { findDefinitionsFor } from '../directory/attributes/attributes.ts'
import { createSeenNames } from './duplicates.ts'
import { createNameFinder, toExportLines } from './export-lines.ts'
import { createGroupFinder } from './group-finder.ts'
import { decideLines, planWrites, writeGroup } from './import-batch.ts'
import { checkDuplicates, getLineNames, type Importer } from './import-decision.ts'
import { readJsonLine } from './json-lines.ts'
import type { UserLineResult } from './models.ts'
import type { userFiles } from './operations.ts'
import { type ValidatedLine, validateLine } from './validate-line.ts'
import type { WriteResult } from './write-user.ts'

/** A caller gets an answer in any case, and can repeat the request. */
const retryShortly = <T>(call: () => Promise<T>): Promise<T> =>
  retry(call, { attempts: 6, baseMs: 50, capMs: 800, isRetryable: isThrottled })

/** Imports lines with the checks of the command line, and returns what happened with each of them. */
export const importUsers: UseCase<typeof userFiles.importUsers> = async ({ body, context }, services) => {
  const { lines: given, line_numbers: numbers, dry_run: isDryRun = false } = body
  if (numbers && numbers.length !== given.length)
    throw invalidRequest([{ field: 'line_numbers', message: 'must have one number for each line' }])
  const importer: Importer = { services, context, retry: retryShortly }
  const rules = {
    config: services.config,
    groupFinder: createGroupFinder(services.table),
    definitions: await findUserAttributes(services.table),
  }
  const seen = createSeenNames()
  const lines: ValidatedLine[] = []
  for (const [at, fields] of given.entries()) {
    // Lines of a request get the checks of lines in a file, such as their length.
    const entry = readJsonLine(numbers?.[at] ?? at + 1, JSON.stringify(fields))
    lines.push(checkDuplicates(await validateLine(entry, rules), seen))
  }
  const { decided } = await decideLines(importer, lines, { isDryRun, isLookingUp: true })
  const results = new Map<ValidatedLine, WriteResult>()
  for (const { line, result } of decided) results.set(line, result === 'free' ? 'imported' : result)
  if (!isDryRun)
    for (const group of await planWrites(importer, decided))
      for await (const { user, result } of writeGroup(importer, group)) results.set(user.line, result)
  return {
    status: 200,
    body: { results: lines.map((line) => toResult(line, results.get(line) ?? [], isDryRun)) },
  }
}

const toResult = (line: ValidatedLine, result: WriteResult, isDryRun: boolean): UserLineResult => ({
  line: line.line,
  outcome: typeof result === 'string' ? result : 'refused',
  errors: typeof result === 'string' ? [] : result.map(({ field, message }) => ({ field, message })),
  ...(isDryRun ? { names: omitUndefined(getLineNames(line)) } : {}),
})

/** Exports a page of users without their secrets. */
export const getExportedUsers: UseCase<typeof userFiles.getExportedUsers> = async (request, services) => {
  const { table, config } = services
  const wanted = readPageRequest(request)
  // Each request, because one for a later page reads users, too, and can be the first one.
  await writeAudit(services, request.context, 'users.exported', { target: 'without_secrets' })
  const found = await readPage(table, getListing('user', 'id'), wanted, async (entries) => {
    const users = await listUsers(table, getIds(entries))
    // Guests belong to access links, which are not exported.
    return users.map((user) => (user && !isGuestUser(user) ? user : undefined))
  })
  const page = await mapRows(found, async (users) =>
    toExportLines(users, createNameFinder(table), await findDefinitionsFor(table, users)),
  )
  return { status: 200, ...toListReply(request, config, page) }
}
