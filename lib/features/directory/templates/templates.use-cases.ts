import { changeSteps, describeNew } from '../../../accounts/events/change-event.ts'
import { thingSteps } from '../../../accounts/events/write-event.ts'
import { diffFields } from '../../../accounts/users/user-changes.ts'
import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { conflict, invalidRequest } from '../../../kernel/errors/errors.ts'
import { getIds, getListing, mapRows, readPage } from '../../../kernel/table/listing.ts'
import {
  createUniqueNameRecord,
  deleteUniqueNameRecord,
  editUniqueNameRecord,
} from '../../../kernel/table/unique-name-records.ts'
import type { Services } from '../../../services.ts'
import { protocols } from '../../connections/protocols.ts'
import { readConnectionPages } from '../../connections/records.ts'
import { validateStartPage } from '../../sign-in/destinations.ts'
import { readCallerRights, requireProofForRights } from '../rights/account-rights.ts'
import type { UserTemplate } from './templates.models.ts'
import { templateFields } from './templates.models.ts'
import type { userTemplates } from './templates.operations.ts'
import { readUserTemplates, type UserTemplateRecord, userTemplateKind } from './templates.records.ts'
import {
  patchTemplateFields,
  readTemplateFields,
  requireControlOfTemplates,
  requireUserTemplate,
  type TemplateFields,
  toNewTemplateBody,
  toTemplateBodies,
  toTemplateBody,
  validateTemplate,
} from './templates.ts'

type Request = Pick<UseCaseRequest<typeof userTemplates.patchUserTemplate>, 'body' | 'principal' | 'context'>

export const createUserTemplate: UseCase<typeof userTemplates.createUserTemplate> = async (
  request,
  services,
) => {
  const fields = readTemplateFields(request.body)
  await requireValidTemplate(request, services, [fields])
  const facts = describeNew({
    fields: templateFields,
    before: readTemplateFields({ name: '' }),
    after: fields,
  })
  const template = await createUniqueNameRecord(services.table, userTemplateKind, fields, (id) =>
    thingSteps(request.context, 'user_template.created', id, facts),
  )
  const location = `/api/2/user-templates/${template.id}`
  return { status: 201, headers: { location }, body: toNewTemplateBody(template) }
}

/** Replaces a user template. Fields that the body omits return to their defaults. */
export const updateUserTemplate: UseCase<typeof userTemplates.updateUserTemplate> = async (
  request,
  services,
) => {
  const template = await requireUserTemplate(services.table, request.params.id)
  return { status: 200, body: await change(request, services, template, readTemplateFields(request.body)) }
}

/** Changes the fields that the body contains. */
export const patchUserTemplate: UseCase<typeof userTemplates.patchUserTemplate> = async (
  request,
  services,
) => {
  const template = await requireUserTemplate(services.table, request.params.id)
  const fields = patchTemplateFields(template, request.body)
  return { status: 200, body: await change(request, services, template, fields) }
}

export const deleteUserTemplate: UseCase<typeof userTemplates.deleteUserTemplate> = async (
  { params, principal, context },
  services,
) => {
  const template = await requireUserTemplate(services.table, params.id)
  const rights = await readCallerRights(services.table, principal)
  await requireControlOfTemplates(services.table, rights, [template])
  const providerIds = await findProvidersWith(services, template.id)
  if (providerIds.length > 0)
    throw conflict(
      `Company connections create users from this template: ${providerIds.slice(0, 10).join(', ')}. Give them another template first.`,
    )
  await deleteUniqueNameRecord(
    services.table,
    userTemplateKind,
    template,
    thingSteps(context, 'user_template.deleted', template.id),
  )
  return { status: 204 }
}

/** `concerned` is the template before and after a change, and `before` the start page before it. */
const requireValidTemplate = async (
  { body, principal }: Request,
  services: Services,
  concerned: readonly Pick<UserTemplateRecord, 'permissions' | 'groups'>[],
  before?: string,
): Promise<void> => {
  const { table, config } = services
  await requireControlOfTemplates(table, await readCallerRights(table, principal), concerned)
  await requireProofForRights(services, principal, concerned)
  const errors = [
    ...(await validateTemplate(table, body)),
    ...validateStartPage(config, body.default_page, before),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
}

const change = async (
  request: Request,
  services: Services,
  template: UserTemplateRecord,
  fields: TemplateFields,
): Promise<UserTemplate> => {
  const changes = diffFields<TemplateFields>(template, fields)
  // A body that changes nothing may be sent back, also for a template that gives more.
  const isChanged = Object.keys(changes).length > 0
  await requireValidTemplate(request, services, isChanged ? [template, fields] : [], template.default_page)
  if (!isChanged) return toTemplateBody(services.table, template)
  const change = { fields: templateFields, before: template, after: changes }
  const edited = await editUniqueNameRecord(services.table, userTemplateKind, template, {
    changes,
    extraSteps: changeSteps(request.context, 'user_template.changed', { of: template.id, change }),
  })
  return toTemplateBody(services.table, edited)
}

/** Finds the IDs of the company connections that create users from a template. */
const findProvidersWith = async ({ table }: Services, templateId: number): Promise<readonly number[]> => {
  const found: number[] = []
  for (const { stored } of protocols.values())
    for await (const connections of readConnectionPages(table, stored, 100))
      found.push(
        ...connections.flatMap(({ id, user_template }) => (user_template === templateId ? [id] : [])),
      )
  return found
}

export const getAllUserTemplates: UseCase<typeof userTemplates.getAllUserTemplates> = async (
  request,
  { table, config },
) => {
  const listing = getListing('user-template', request.query.ordering.field)
  const found = await readPage(table, listing, readPageRequest(request), (entries) =>
    readUserTemplates(table, getIds(entries)),
  )
  const page = await mapRows(found, (rows) => toTemplateBodies(table, rows))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getUserTemplate: UseCase<typeof userTemplates.getUserTemplate> = async (
  { params },
  { table },
) => {
  const template = await requireUserTemplate(table, params.id)
  return { status: 200, body: await toTemplateBody(table, template) }
}
