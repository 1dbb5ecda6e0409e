import { invalidRequest, requireFound } from '../../../kernel/errors/errors.ts'
import { isLanguage } from '../../../kernel/i18n/languages.ts'
import type { Services } from '../../../services.ts'
import type { OrganizationRecord } from '../../organizations/records.ts'
import { describeSender } from '../email-sender.ts'
import { type EmailTextKind, type EmailWords, getKind, listKindsOf, listVariables } from './kinds.models.ts'
import { type ParsedWords, parseWords } from './markup.ts'
import type { EmailText, EmailTextPreview, EmailTextKind as KindBody } from './models.ts'
import { listOwnDomains } from './own-domains.ts'
import { type EmailTextHistory, type EmailTextName, type EmailTextOwner, listEmailTexts } from './records.ts'
import { normalizeWords } from './save-email-text.ts'

/* What requests about words of the service, of a product and of an organization have in common. */

const listKinds = (owner: EmailTextOwner) => {
  if ('service' in owner) return listKindsOf('service')
  return listKindsOf('product' in owner ? 'product' : 'organization')
}

/** @throws AppError `not_found` for a kind or language that cannot have words of this owner */
export const requireName = (
  owner: EmailTextOwner,
  params: { readonly kind: string; readonly language: string },
): EmailTextName => ({
  owner,
  kind: requireFound(
    listKinds(owner).find((one) => one === params.kind),
    'kind of emails',
    'The list of the emails with own words has the names.',
  ),
  language: requireFound(isLanguage(params.language) ? params.language : undefined, 'language'),
})

/** @throws AppError `invalid_request` that lists everything that is wrong, with the line */
export const requireWords = async (
  services: Services,
  { owner, kind }: EmailTextName,
  { subject, body }: { readonly subject?: string | null | undefined; readonly body: string },
): Promise<{ readonly words: EmailWords; readonly parsed: ParsedWords }> => {
  const words = normalizeWords({ subject, body })
  const { words: parsed, problems } = parseWords(kind, words, await listOwnDomains(services, owner))
  if (problems.length > 0) throw invalidRequest(problems.slice(0, problemsShown))
  return { words, parsed }
}

const problemsShown = 50

export const toTextBody = (
  { kind, language }: EmailTextName,
  { version, versions }: EmailTextHistory = { version: 0, versions: [] },
): EmailText => ({
  kind,
  language,
  version,
  subject: versions[0]?.words?.subject ?? null,
  body: versions[0]?.words?.body ?? null,
  versions: versions.map(({ changedAt, changedBy, words, version: number }) => ({
    version: number,
    changed_at: new Date(changedAt).toISOString(),
    changed_by: changedBy,
    subject: words?.subject ?? null,
    body: words?.body ?? null,
  })),
})

/** The kinds of emails that an owner can have words for, and the languages that have some. */
export const listKindBodies = async (
  services: Services,
  owner: EmailTextOwner,
): Promise<(typeof KindBody)['_zod']['output'][]> => {
  const [stored, { hosts, domains }] = await Promise.all([
    listEmailTexts(services.table, owner),
    listOwnDomains(services, owner),
  ])
  return listKinds(owner).map((kind) => {
    const { required, action, hasSubject } = getKind(kind)
    return {
      kind,
      variables: [...listVariables(kind)],
      required_variables: [...required],
      action,
      has_subject: hasSubject,
      languages: stored.filter((text) => text.kind === kind).map(({ language }) => language),
      link_domains: [...hosts, ...domains.map((domain) => `*.${domain}`)],
    }
  })
}

interface PreviewRequest {
  readonly body: {
    readonly subject?: string | null | undefined
    readonly body: string
    readonly values?: Readonly<Record<string, string>> | undefined
  }
  /** Whom the example is addressed to. */
  readonly to: string
  readonly organization: OrganizationRecord | undefined
}

/** Renders an email with words and values of a request. @throws AppError `invalid_request` */
export const previewText = async (
  services: Services,
  name: EmailTextName,
  { body, to, organization }: PreviewRequest,
): Promise<(typeof EmailTextPreview)['_zod']['output']> => {
  const { kind, language, owner } = name
  const { parsed: words } = await requireWords(services, name, body)
  const values = requireValues(kind, body.values)
  const { renderExample } = await import('./render-example.ts')
  const { subject, text, html, sender } = await renderExample(services, {
    ...{ to, kind, language, words, values, organization },
    product: 'product' in owner ? owner.product : undefined,
  })
  const { from, replyTo } = describeSender(services.config, sender)
  return { from, reply_to: replyTo, subject, text, html }
}

const requireValues = (
  kind: EmailTextKind,
  given: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> => {
  const values = new Map(Object.entries(given))
  const unknown = [...values.keys()].filter((one) => !getKind(kind).variables.includes(one))
  if (unknown.length > 0) {
    const known = getKind(kind).variables.join(', ')
    const message = known === '' ? 'must be empty' : `must have no other names than ${known}`
    throw invalidRequest([{ field: 'values', message }])
  }
  return values
}
