import type { Access } from '../../lib/contract/access.ts'
import type { Operation } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import { getTag } from '../../lib/open-api/build-open-api.ts'
import { code, page } from './markdown.ts'

/** An index of all operations, with who may call each one. `/docs` has the rest, so this page does not repeat it. */
export const operationsPage = (): string =>
  page(
    'Operations',
    `All operations of the HTTP interface, by tag, and who may call them. Every service describes them completely: the page \`/docs\`
for people, with fields, examples and errors, and the OpenAPI document \`GET /api/2/openapi.json\` for programs. Start one
with \`npm start\`, and open <http://localhost:3000/docs>.

[Error codes](error-codes.md) explains the errors. [Scopes](scopes.md) and [permissions](permissions.md) list their operations.`,
    ...[...Map.groupBy(operations, getTag)].flatMap(([tag, members]) => [
      `## ${tag}`,
      ...members.map(describeOperation),
    ]),
  )

const describeOperation = (operation: Operation): string =>
  [
    `### ${operation.id}`,
    `${code(`${operation.method} ${operation.path}`)}: ${operation.summary}.`,
    `Access: ${describeAccess(operation.access)}${restrictions(operation)}.`,
  ].join('\n\n')

const credentialNames = { session: 'session', api_token: 'API token', reset_token: 'reset token' } as const

const describeAccess = (access: Access): string => {
  if (access.allow === 'anyone')
    return access.credential === 'optional' ? 'anyone; a session is used if sent' : 'anyone'
  const by = access.by.map((kind) => credentialNames[kind]).join(' or ')
  const permission = access.allow === 'permission' ? `, with the permission ${code(access.permission)}` : ''
  return `${by}${permission}${access.scope ? `; scope ${code(access.scope)}` : ''}`
}

const restrictions = ({ notWhileImpersonating, recentAuthentication, acceptsProduct }: Operation): string =>
  [
    notWhileImpersonating ? '; not while impersonating and not in a session of an access link' : '',
    recentAuthentication === true ? '; requires a recent authentication' : '',
    recentAuthentication === 'for_sign_in_and_rights'
      ? '; requires a recent authentication for addresses of existing users, and for `system:admin-access` and `users:manage`'
      : '',
    acceptsProduct ? '; a product can name the address of its user' : '',
  ].join('')
