import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { anyText, dateTime, id } from '../../kernel/contract/fields.ts'
import { managedKinds } from '../../kernel/contract/managed-kinds.ts'
import { field, model } from '../../kernel/contract/model.ts'

export const ManagedThing = model(
  {
    kind: field(z.enum(managedKinds), docs && 'The kind of the thing, or of settings.'),
    id: field(
      z.int(),
      docs &&
        'The ID of the thing. 0 for settings that a service has once. For those of a product, a number that its name leads to.',
    ),
    key: field(
      anyText,
      docs && {
        description: 'What the document calls it. The kind for settings, or the name of the product.',
        example: 'web',
      },
    ),
    owner: field(anyText, docs && { description: 'The owner of the document.', example: 'film-library' }),
    unlocked_by: field(
      z.nullable(id),
      docs &&
        'The ID of the administrator who let people change it until the document is applied again. Null if it is locked.',
    ),
    unlocked_at: field(z.nullable(dateTime), docs && 'When they did: ISO 8601, UTC. Null if it is locked.'),
  },
  docs && {
    description: 'What a configuration document manages, and people cannot change.',
    example: {
      kind: 'client' as const,
      id: exampleIds.client,
      key: 'web',
      owner: 'film-library',
      unlocked_by: null,
      unlocked_at: null,
    },
  },
)
export type ManagedThing = z.output<typeof ManagedThing>
