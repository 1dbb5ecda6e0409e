import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { nonEmptyText } from '../../kernel/contract/fields.ts'

export const ReferenceEntry = z.strictObject({
  href: nonEmptyText,
  kind: z.enum([
    'Guide',
    'Topic',
    'Operation',
    'Parameter',
    'Field',
    'Model',
    'Error code',
    'Reason',
    'Header',
  ]),
  name: nonEmptyText,
  detail: z.string(),
  text: z.optional(z.string()),
})
export type ReferenceEntry = z.output<typeof ReferenceEntry>

const exampleEntry: ReferenceEntry = docs && {
  href: '/docs/tickets#create_auth_ticket',
  kind: 'Operation',
  name: 'Create a ticket',
  detail: 'POST /api/2/auth/ticket',
}

if (docs)
  describeModel(ReferenceEntry, () => ({
    description: 'A place of the API reference that its search finds.',
    fields: {
      href: 'Its address, without the origin.',
      kind: 'What it explains.',
      name: 'Its title, or the name of the field, code or header.',
      detail: 'A sentence or a route that explains the name. It can be empty.',
      text: 'What else it says.',
    },
    example: exampleEntry,
  }))

export const ReferenceIndex = z.strictObject({ entries: z.array(ReferenceEntry) })

if (docs)
  describeModel(ReferenceIndex, () => ({
    description: 'All places of the API reference.',
    fields: { entries: 'The places, in the order of the reference.' },
    example: { entries: [exampleEntry] },
  }))
