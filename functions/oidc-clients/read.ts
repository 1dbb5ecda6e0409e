import type { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildNameMatcher } from '../../lib/store/directory/search-users.ts'
import { mapRows } from '../../lib/store/engine/listing.ts'
import { readNamePage } from '../../lib/store/engine/search-names.ts'
import { findOidcClientById, oidcClientKind } from '../../lib/store/oidc/clients.ts'
import { toClientBody } from './client-body.ts'

export const getAllOidcClients: UseCase<typeof oidcClients.getAllOidcClients> = async (
  request,
  { table, config, now },
) => {
  const found = await readNamePage(table, oidcClientKind, buildNameMatcher(request.query), {
    order: request.query.ordering.field,
    page: readPageRequest(request),
  })
  const page = await mapRows(found, async (clients) => clients.map((client) => toClientBody(client, now())))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getOidcClient: UseCase<typeof oidcClients.getOidcClient> = async (
  { params },
  { table, now },
) => ({
  status: 200,
  body: toClientBody(requireFound(await findOidcClientById(table, params.id)), now()),
})
