import { operations } from '../../lib/contract/operations.ts'
import { productPermissions } from '../../lib/contract/permissions.ts'
import { clientAddressPermission } from '../../lib/contract/product.ts'
import { scopes } from '../../lib/contract/scopes.ts'
import { code, codeList, markdownTable, page } from './markdown.ts'

export const scopesPage = (): string =>
  page(
    'Scopes of API tokens',
    `An API token without scopes may do what its owner may, except for operations that reject API tokens. An API token
with scopes is limited to the operations and permissions of its scopes. [API tokens](../concepts/api-tokens.md) explains
both.`,
    markdownTable(
      ['scope', 'allows', 'operations'],
      Object.entries(scopes).map(([scope, text]) => [code(scope), text, linksOf(scope)]),
    ),
    `The scope \`system:admin-access\` includes every other scope. Permissions of products are scopes, too. They limit the
permissions that a checked ticket shows. Every permission that the owner holds is accepted, and always these:
${codeList(productPermissions)}.`,
  )

const linksOf = (scope: string): string =>
  operations
    .filter(
      ({ access, acceptsProduct }) =>
        (access.allow !== 'anyone' && access.scope === scope) ||
        (acceptsProduct && scope === clientAddressPermission),
    )
    .map(({ id }) => `[${id}](operations.md#${id})`)
    .join(', ')
