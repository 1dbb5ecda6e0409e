import { consume, tryRefund } from '../../../accounts/callers/throttle.ts'
import { buildOutboxStep } from '../../../accounts/outbox/outbox.records.ts'
import { hasVerifiedEmail } from '../../../accounts/users/guest-state.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { conflict, requireFound } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import { requireProduct } from '../../branding/edit-scope.ts'
import { type OrganizationRecord, readOrganizations } from '../../organizations/records.ts'
import type { emailTexts } from './operations.ts'
import { type EmailTextName, type EmailTextOwner, findEmailTextHistory } from './records.ts'
import { listKindBodies, previewText, requireName, requireWords, toTextBody } from './requests.ts'
import { saveEmailText } from './save-email-text.ts'

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
  return { ...found, name: requireName(found.owner, params) }
}

export const listEmailTexts: UseCase<typeof emailTexts.listEmailTexts> = async ({ params }, services) => {
  const { owner } = await requireOwner(services, params.owner)
  return { status: 200, body: await listKindBodies(services, owner) }
}

export const getEmailText: UseCase<typeof emailTexts.getEmailText> = async (request, services) => {
  const { name } = await requireText(services, request)
  return { status: 200, body: toTextBody(name, await findEmailTextHistory(services.table, name)) }
}

export const updateEmailText: UseCase<typeof emailTexts.updateEmailText> = async (request, services) => {
  const { name } = await requireText(services, request)
  const { body, context } = request
  const { words } = await requireWords(services, name, body)
  const history = await saveEmailText(services, name, { context, words, version: body.version })
  return { status: 200, body: toTextBody(name, history) }
}

export const resetEmailText: UseCase<typeof emailTexts.resetEmailText> = async (request, services) => {
  const { name } = await requireText(services, request)
  await saveEmailText(services, name, { context: request.context, words: null })
  return { status: 204 }
}

export const previewEmailText: UseCase<typeof emailTexts.previewEmailText> = async (request, services) => {
  const { name, organization } = await requireText(services, request)
  const { body, principal } = request
  const to = principal.user.email ?? ''
  return { status: 200, body: await previewText(services, name, { body, to, organization }) }
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
