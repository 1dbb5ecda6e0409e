import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { changeSteps } from '../../../accounts/events/change-event.ts'
import { conflict, type FieldError, invalidRequest } from '../../../kernel/errors/errors.ts'
import { retryConflicts } from '../../../kernel/table/retry-conflicts.ts'
import type { Services } from '../../../services.ts'
import { buildEmailTextsSteps, findBrandingRecord } from '../../branding/records.ts'
import { editOrganization, readOrganizations } from '../../organizations/records.ts'
import type { EmailWords } from './kinds.models.ts'
import { parseWords } from './markup.ts'
import { listOwnDomains } from './own-domains.ts'
import {
  buildEmailTextSteps,
  type EmailTextHistory,
  type EmailTextName,
  type EmailTextOwner,
  findEmailTextHistory,
  listEmailTexts,
  nameOwner,
} from './records.ts'

interface EmailTextSave {
  readonly context: RequestContext
  /** Null returns to the built-in words. */
  readonly words: EmailWords | null
  /** The version that the caller read, if they said it. */
  readonly version?: number | undefined
  /** Words of an organization that its members write are a change of the organization, which its log shows. */
  readonly event?: 'branding.changed' | 'organization.changed'
}

/**
 * Replaces own words with an audit event, and returns their history. Nothing is written if nothing changes.
 *
 * @throws AppError `conflict` if they have another version, or were changed again and again
 */
export const saveEmailText = (
  { table, now }: Pick<Services, 'table' | 'now'>,
  name: EmailTextName,
  { context, words, version, event = 'branding.changed' }: EmailTextSave,
): Promise<EmailTextHistory | undefined> =>
  retryConflicts(async () => {
    const before = await findEmailTextHistory(table, name)
    if (version !== undefined && version !== (before?.version ?? 0))
      throw conflict('The words were changed since you read them. Read them again.')
    const known = before?.versions[0]?.words ?? null
    if (known?.subject === words?.subject && known?.body === words?.body) return before
    const { owner, kind, language } = name
    const change = { changedAt: now(), changedBy: context.actor ?? null, words }
    const field = `email_texts.${kind}.${language}`
    const steps = [
      ...buildEmailTextSteps(name, before, change),
      ...changeSteps(context, event, {
        of:
          event === 'organization.changed' && 'organization' in owner ? owner.organization : nameOwner(owner),
        change: { fields: { [field]: {} }, before: { [field]: known }, after: { [field]: words } },
      }),
    ]
    if ('organization' in owner) await saveOfOrganization(table, owner.organization, steps)
    else await table.transact([...buildEmailTextsSteps(await findBrandingRecord(table)), ...steps])
    return findEmailTextHistory(table, name)
  }, 'The words were modified concurrently. Try again.')

/** Its record says that there are some. */
const saveOfOrganization = async (
  table: Services['table'],
  id: number,
  steps: Parameters<Services['table']['transact']>[0],
): Promise<void> => {
  const [organization] = await readOrganizations(table, [id])
  if (organization && !organization.hasEmailTexts)
    await editOrganization(table, organization, { hasEmailTexts: true }, steps)
  else await table.transact(steps)
}

/** Words as they are stored. */
export const normalizeWords = ({
  subject,
  body,
}: {
  readonly subject?: string | null | undefined
  readonly body: string
}): EmailWords => ({ subject: subject?.trim().normalize('NFC') ?? null, body: body.normalize('NFC') })

export interface WordsToSave extends Omit<EmailTextName, 'owner'> {
  readonly words: EmailWords
}

/**
 * Replaces all own words of the service or of a product. What is not among these returns to the built-in words.
 *
 * @throws AppError `invalid_request` that lists everything that is wrong, by kind and language, with the line
 */
export const replaceEmailTexts = async (
  services: Services,
  owner: EmailTextOwner,
  { context, texts }: { readonly context: RequestContext; readonly texts: readonly WordsToSave[] },
): Promise<void> => {
  const own = await listOwnDomains(services, owner)
  const errors = texts.flatMap(({ kind, language, words }): readonly FieldError[] =>
    parseWords(kind, words, own).problems.map(({ field, message }) => ({
      field: `${kind}.${language}.${field}`,
      message,
    })),
  )
  if (errors.length > 0) throw invalidRequest(errors)
  const isWanted = (one: Omit<EmailTextName, 'owner'>) =>
    texts.some(({ kind, language }) => kind === one.kind && language === one.language)
  const left = (await listEmailTexts(services.table, owner)).filter((one) => !isWanted(one))
  for (const { kind, language, words } of texts)
    await saveEmailText(services, { owner, kind, language }, { context, words })
  for (const { kind, language } of left)
    await saveEmailText(services, { owner, kind, language }, { context, words: null })
}
