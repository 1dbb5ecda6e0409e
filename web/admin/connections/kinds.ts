import { client } from '../../session-kit/client.ts'
import type { Page, PageRequest } from '../../session-kit/use-list.ts'

/** The protocol by which a company signs in. The folder of its name has what only connections of this kind show. */
export type KindName = (typeof kinds)[number]['name']

/** A connection as lists show it. */
export interface ConnectionEntry {
  /** No two connections have the same one, of whatever kind they are. */
  readonly id: number
  readonly kind: KindName
  readonly name: string
  readonly isHidden: boolean
  /** The certificates or the issuer of its identity provider. */
  readonly source: string
}

export interface NamedRequest extends PageRequest {
  readonly ordering: 'name' | '-name'
}
export interface ReadOptions {
  readonly signal: AbortSignal
}

interface Listed {
  readonly id: number
  readonly name: string
  readonly disabled_in_client: boolean
}

const toEntries = <Name extends string, Connection extends Listed>(
  kind: Name,
  { items, nextCursor }: Page<Connection>,
  sourceOf: (connection: Connection) => string,
) => ({
  nextCursor,
  items: items.map((connection) => ({
    kind,
    id: connection.id,
    name: connection.name,
    isHidden: connection.disabled_in_client,
    source: sourceOf(connection),
  })),
})

/** The kinds of connections. */
export const kinds = [
  {
    name: 'saml',
    label: 'SAML',
    list: async (request: NamedRequest, options: ReadOptions) =>
      toEntries(
        'saml',
        await client.connections.listSamlProviders(request, options),
        // Until its metadata is known, the certificate is one of this service.
        ({ entity_id: entityId, certificate }) =>
          entityId.startsWith('urn:latchkey:setup:') ? '' : certificate,
      ),
  },
  {
    name: 'oidc',
    label: 'OpenID Connect',
    list: async (request: NamedRequest, options: ReadOptions) =>
      toEntries(
        'oidc',
        await client.oidcConnections.listOidcConnections(request, options),
        ({ issuer }) => issuer,
      ),
  },
] as const
