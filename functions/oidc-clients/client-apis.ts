import type { OIDCClientPartialUpdate } from '../../lib/contract/models/oidc-clients.ts'
import type { FieldError } from '../../lib/errors/errors.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import type { OidcClient, OidcClientApi } from '../../lib/store/oidc/clients.ts'
import { findApiRights } from '../../lib/store/oidc/protected-apis.ts'

interface ClientApis {
  /** Undefined if the body names none. */
  readonly apis: readonly OidcClientApi[] | undefined
  readonly errors: readonly FieldError[]
}

/**
 * Finds the APIs that a body names. Takes one table call, or none without APIs. What the client has already is accepted as
 * it is, so that a body can be sent back after an API was changed or deleted.
 */
export const readClientApis = async (
  table: Table,
  { apis: given }: Pick<OIDCClientPartialUpdate, 'apis'>,
  { apis: present }: Pick<OidcClient, 'apis'> = { apis: [] },
): Promise<ClientApis> => {
  if (!given) return { apis: undefined, errors: [] }
  const audiences = given.map(({ audience }) => audience)
  const found = await findApiRights(table, [...new Set(audiences)])
  const rights = new Map([...new Set(audiences)].map((audience, at) => [audience, found[at]]))
  const errors: FieldError[] = []
  const apis = given.flatMap(({ audience, scopes }, at): readonly OidcClientApi[] => {
    const known = present.find((api) => api.audience === audience)
    const api = rights.get(audience)
    const allowed = [...(api?.scopes.map(({ name }) => name) ?? []), ...(known?.scopes ?? [])]
    if (audiences.indexOf(audience) < at)
      errors.push({ field: `apis.${at}.audience`, message: 'must not be repeated' })
    if (!api && !known)
      errors.push({ field: `apis.${at}.audience`, message: 'must be the audience of a registered API' })
    else
      for (const [index, name] of scopes.entries())
        if (!allowed.includes(name))
          errors.push({ field: `apis.${at}.scopes.${index}`, message: 'must be a scope of this API' })
    const id = api?.id ?? known?.id
    return id === undefined ? [] : [{ id, audience, scopes: [...new Set(scopes)].sort() }]
  })
  return { apis, errors }
}
