import * as z from 'zod/mini'
import { id, ids, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { exampleIds } from '../example-values.models.ts'

const nameText = 'The name of the connection.'

export const KeptByDirectory = model(
  {
    connection: field(id, docs && 'The ID of the connection.'),
    name: field(nonEmptyText, docs && nameText),
    fields: field(
      z.array(z.enum(['email', 'full_name'])),
      docs && 'The fields that only the directory changes.',
    ),
    groups: field(ids, docs && 'The IDs of the groups that the directory gave, which only it takes.'),
    attributes: field(
      z.optional(texts),
      docs && 'The names of the attributes that only the directory changes. Missing without any.',
    ),
  },
  docs && {
    description:
      'What the directory of a connection keeps of a user. Changing it here is a 409 with the reason `managed_by_directory`.',
    example: {
      connection: exampleIds.oidcConnection,
      name: 'Acme',
      fields: ['full_name' as const, 'email' as const],
      groups: [],
    },
  },
)
export type KeptByDirectory = z.output<typeof KeptByDirectory>

export const keptByDirectories = field(
  z.optional(z.readonly(z.array(KeptByDirectory))),
  docs &&
    'What directories keep of the user, so that it cannot be changed here. Missing if there is nothing. Only operations about one user have it.',
)

export const DirectoryRoles = model(
  {
    name: field(nonEmptyText, docs && nameText),
    roles: field(texts, docs && 'The keys of the roles that its groups gave. Only the directory takes them.'),
  },
  docs && {
    description: 'The roles of a member that the directory of a connection keeps.',
    example: { name: 'Acme', roles: ['accountant'] },
  },
)
export type DirectoryRoles = z.output<typeof DirectoryRoles>
