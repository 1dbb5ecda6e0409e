import { requireUserTemplate } from '../../lib/accounts/directory/require-records.ts'
import { toTemplateBodies, toTemplateBody } from '../../lib/accounts/directory/user-templates.ts'
import type { userTemplates } from '../../lib/contract/operations/user-templates.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { readUserTemplates } from '../../lib/store/directory/user-templates.ts'
import { getIds, getListing, mapRows, readPage } from '../../lib/store/engine/listing.ts'

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
