import { isAdministrator } from '../../lib/accounts/directory/admin-rights.ts'
import { toAdminProviderBody, toProviderBody } from '../../lib/accounts/saml/provider-body.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import type { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import { getIds, getListing, mapRows, readPage } from '../../lib/store/engine/listing.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { readSamlProviders } from '../../lib/store/saml/saml-providers.ts'

/** Lists SAML providers. The list is public, because a sign-in page needs it before a user is signed in. */
export const getAllSamlProviders: UseCase<typeof samlProviders.getAllSamlProviders> = async (
  request,
  { table, config },
) => {
  const listing = getListing('saml-provider', request.query.ordering.field)
  const found = await readPage(table, listing, readPageRequest(request), (entries) =>
    readSamlProviders(table, getIds(entries)),
  )
  const bodyOf = await bodyFor(table, request)
  const page = await mapRows(found, async (rows) => rows.map((row) => bodyOf(config, row)))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getSamlProvider: UseCase<typeof samlProviders.getSamlProvider> = async (
  request,
  { table, config },
) => {
  const provider = await requireProvider(table, request.params.id)
  return { status: 200, body: (await bodyFor(table, request))(config, provider) }
}

const bodyFor = async (
  table: Table,
  { principal }: Pick<UseCaseRequest<typeof samlProviders.getSamlProvider>, 'principal'>,
): Promise<typeof toProviderBody> =>
  principal && (await isAdministrator(table, principal)) ? toAdminProviderBody : toProviderBody
