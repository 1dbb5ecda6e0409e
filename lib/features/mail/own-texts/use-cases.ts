import { consume, tryRefund } from '../../../accounts/callers/throttle.ts'
import { buildOutboxStep } from '../../../accounts/outbox/outbox.records.ts'
import { hasVerifiedEmail } from '../../../accounts/users/guest-state.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { conflict, invalidRequest, requireFound } from '../../../kernel/errors/errors.ts'
import { isLanguage } from '../../../kernel/i18n/languages.ts'
import type { Services } from '../../../services.ts'
import { requireProduct } from '../../branding/edit-scope.ts'
import { type OrganizationRecord, readOrganizations } from '../../organizations/records.ts'
import { type EmailWords, getKind, listKindsOf, listVariables } from './kinds.models.ts'
import { type ParsedWords, parseWords } from './markup.ts'
import type { EmailText } from './models.ts'
import type { emailTexts } from './operations.ts'
import { listOwnDomains } from './own-domains.ts'
import {
  type EmailTextHistory,
  type EmailTextName,
  type EmailTextOwner,
  findEmailTextHistory,
  listEmailTexts as listStoredTexts,
} from './records.ts'
import { normalizeWords, saveEmailText } from './save-email-text.ts'

interface FoundOwner {
  readonly owner: EmailTextOwner
  readonly organization: OrganizationRecord | undefined
}

/** @throws AppError `not_found` for a product that access links do not lead to, or an organization that does not exist */
const requireOwner = async ({ table, config }: Services, given: string): Promise<FoundOwner> => {
  if (given === 'service') return { owner: { service: true }, organization: undefined }
  const [, product] = /^product:(.+)$/.exec(given) ?? []
  if (product !== undefined)
    return { owner: { product: requireProduct(config, product) }, organization: undefined }
  const [, number] = /^organization:([1-9]\d{0,9})$/.exec(given) ?? []
  const id = Number(number)
  const [found] = id <= longestId ? await readOrganizations(table, [id]) : []
  return { owner: { organization: id }, organization: requireFound(found, 'owner', ownerForms) }
}

const longestId = 2_147_483_647
const ownerForms = 'Use `service`, `product:` and a name, or `organization:` and an ID.'

const listKinds = (owner: EmailTextOwner) => {
  if ('service' in owner) return listKindsOf('service')
  return listKindsOf('product' in owner ? 'product' : 'organization')
}

const getProduct = (owner: EmailTextOwner): string | undefined =>
  'product' in owner ? owner.product : undefined

interface TextRequest {
  readonly params: { readonly owner: string; readonly kind: string; readonly language: string }
}

/** @throws AppError `not_found` for a kind or language that cannot have words of this owner */
const requireText = async (
  services: Services,
  { params }: TextRequest,
): Promise<FoundOwner & { readonly name: EmailTextName }> => {
  const found = await requireOwner(services, params.owner)
  const kind = requireFound(
    listKinds(found.owner).find((one) => one === params.kind),
    'kind of emails',
    '`list_email_texts` has the names.',
  )
  const language = requireFound(isLanguage(params.language) ? params.language : undefined, 'language')
  return { ...found, name: { owner: found.owner, kind, language } }
}

/** @throws AppError `invalid_request` that lists everything that is wrong, with the line */
const requireWords = async (
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

const toBody = (
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

export const listEmailTexts: UseCase<typeof emailTexts.listEmailTexts> = async ({ params }, services) => {
  const { owner } = await requireOwner(services, params.owner)
  const [stored, { hosts, domains }] = await Promise.all([
    listStoredTexts(services.table, owner),
    listOwnDomains(services, owner),
  ])
  const body = listKinds(owner).map((kind) => {
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
  return { status: 200, body }
}

export const getEmailText: UseCase<typeof emailTexts.getEmailText> = async (request, services) => {
  const { name } = await requireText(services, request)
  return { status: 200, body: toBody(name, await findEmailTextHistory(services.table, name)) }
}

export const updateEmailText: UseCase<typeof emailTexts.updateEmailText> = async (request, services) => {
  const { name } = await requireText(services, request)
  const { body, context } = request
  const { words } = await requireWords(services, name, body)
  const history = await saveEmailText(services, name, { context, words, version: body.version })
  return { status: 200, body: toBody(name, history) }
}

export const resetEmailText: UseCase<typeof emailTexts.resetEmailText> = async (request, services) => {
  const { name } = await requireText(services, request)
  await saveEmailText(services, name, { context: request.context, words: null })
  return { status: 204 }
}

export const previewEmailText: UseCase<typeof emailTexts.previewEmailText> = async (request, services) => {
  const { name, owner, organization } = await requireText(services, request)
  const { body, principal } = request
  const { kind, language } = name
  const { parsed: words } = await requireWords(services, name, body)
  const values = new Map(Object.entries(body.values ?? {}))
  const unknown = [...values.keys()].filter((one) => !getKind(kind).variables.includes(one))
  if (unknown.length > 0) {
    const known = getKind(kind).variables.join(', ')
    const message = known === '' ? 'must be empty' : `must have no other names than ${known}`
    throw invalidRequest([{ field: 'values', message }])
  }
  const { renderExample } = await import('./render-example.ts')
  const { subject, text, html } = await renderExample(services, {
    ...{ kind, language, words, values, organization, product: getProduct(owner) },
    to: principal.user.email ?? '',
  })
  return { status: 200, body: { subject, text, html } }
}

export const sendEmailTextTest: UseCase<typeof emailTexts.sendEmailTextTest> = async (request, services) => {
  const { name, owner, organization } = await requireText(services, request)
  const { body, principal, context } = request
  const { words } = await requireWords(services, name, body)
  const { user } = principal
  if (!hasVerifiedEmail(user))
    throw conflict('Your account has no verified email address. Confirm one, and try again.')
  const refund = await consume(services, 'emailTextTests', String(user.id))
  const job = {
    kind: 'email_text_test',
    userId: user.id,
    textKind: name.kind,
    language: name.language,
    product: getProduct(owner) ?? '',
    organizationId: organization?.id ?? 0,
    subject: words.subject ?? '',
    body: words.body,
  } as const
  try {
    await services.table.transact([buildOutboxStep(job, context, services.now())])
  } catch (error) {
    await tryRefund(services, refund)
    throw error
  }
  return { status: 204 }
}
