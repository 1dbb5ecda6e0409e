import type { UseCase } from '../../../http/use-case.ts'
import { AppError } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import type { OrganizationAccess } from '../../organizations/access.ts'
import type { organizationEmailTexts } from './organization.operations.ts'
import { listProvenDomains } from './own-domains.ts'
import { type EmailTextOwner, findEmailTextHistory } from './records.ts'
import { listKindBodies, previewText, requireName, requireWords, toTextBody } from './requests.ts'
import { saveEmailText } from './save-email-text.ts'

/** The organization that the caller may manage, and no other one. */
const toOwner = ({ organization }: OrganizationAccess): EmailTextOwner => ({ organization: organization.id })

export const listOrganizationEmailTexts: UseCase<
  typeof organizationEmailTexts.listOrganizationEmailTexts
> = async ({ organization: access }, services) => ({
  status: 200,
  body: await listKindBodies(services, toOwner(access)),
})

export const getOrganizationEmailText: UseCase<
  typeof organizationEmailTexts.getOrganizationEmailText
> = async ({ params, organization: access }, { table }) => {
  const name = requireName(toOwner(access), params)
  return { status: 200, body: toTextBody(name, await findEmailTextHistory(table, name)) }
}

export const updateOrganizationEmailText: UseCase<
  typeof organizationEmailTexts.updateOrganizationEmailText
> = async ({ params, body, organization: access, context }, services) => {
  const name = requireName(toOwner(access), params)
  const { words } = await requireWords(services, name, body)
  const { isForService } = access
  if (!isForService) await requireDomain(services, access)
  const history = await saveEmailText(services, name, {
    ...{ context, version: body.version, event: 'organization.changed' },
    words: isForService ? words : { ...words, needsDomain: true },
  })
  return { status: 200, body: toTextBody(name, history) }
}

/**
 * Anyone may have an organization and invite strangers, so members need a domain that says who they are.
 *
 * @throws AppError `permission_denied`
 */
const requireDomain = async (
  { table }: Services,
  { organization: { id } }: OrganizationAccess,
): Promise<void> => {
  if ((await listProvenDomains(table, id)).length === 0)
    throw new AppError('permission_denied', {
      detail: 'The organization has no proven domain. Prove one, and try again.',
    })
}

export const resetOrganizationEmailText: UseCase<
  typeof organizationEmailTexts.resetOrganizationEmailText
> = async ({ params, organization: access, context }, services) => {
  const name = requireName(toOwner(access), params)
  await saveEmailText(services, name, { context, words: null, event: 'organization.changed' })
  return { status: 204 }
}

export const previewOrganizationEmailText: UseCase<
  typeof organizationEmailTexts.previewOrganizationEmailText
> = async ({ params, body, organization: access, principal }, services) => {
  const name = requireName(toOwner(access), params)
  const { organization } = access
  const to = principal?.user.email ?? ''
  return { status: 200, body: await previewText(services, name, { body, to, organization }) }
}
