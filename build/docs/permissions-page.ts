import { operations } from '../../lib/contract/operations.ts'
import { permissions } from '../../lib/contract/permissions.ts'
import { code, markdownTable, page } from './markdown.ts'

export const permissionsPage = (): string =>
  page(
    'Permissions',
    `Users have permissions of their own and those of their groups. The field \`effective_permissions\` of a user lists
both. Products can store more permissions of the form \`word:word\` or \`word:word:word\`. Latchkey stores and returns
them, but does not check them.`,
    markdownTable(
      ['permission', 'allows'],
      Object.entries(permissions).map(([name, text]) => [code(name), text]),
    ),
    ...Object.keys(permissions).flatMap((name) => {
      const needing = operations.filter(
        ({ access }) => access.allow === 'permission' && access.permission === name,
      )
      return [`## Operations that require \`${name}\``, needing.map(lineOf).join('\n')]
    }),
  )

const lineOf = ({ id, summary }: { readonly id: string; readonly summary: string }): string =>
  `- [\`${id}\`](operations.md#${id}): ${summary}`
