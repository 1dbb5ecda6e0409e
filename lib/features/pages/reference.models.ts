import * as z from 'zod/mini'
import { anyText, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

const exampleEntry = docs && {
  href: '/docs/tickets#create_auth_ticket',
  kind: 'Operation' as const,
  name: 'Create a ticket',
  detail: 'POST /api/2/auth/ticket',
}

const entryKinds = [
  'Guide',
  'Topic',
  'Operation',
  'Parameter',
  'Field',
  'Model',
  'Error code',
  'Reason',
  'Header',
] as const

export const ReferenceEntry = model(
  {
    href: field(nonEmptyText, docs && 'Its address, without the origin.'),
    kind: field(z.enum(entryKinds), docs && 'What it explains.'),
    name: field(nonEmptyText, docs && 'Its title, or the name of the field, code or header.'),
    detail: field(anyText, docs && 'A sentence or a route that explains the name. It can be empty.'),
    text: field(z.optional(anyText), docs && 'What else it says.'),
  },
  docs && { description: 'A place of the API reference that its search finds.', example: exampleEntry },
)
export type ReferenceEntry = z.output<typeof ReferenceEntry>

export const ReferenceIndex = model(
  { entries: field(z.array(ReferenceEntry), docs && 'The places, in the order of the reference.') },
  docs && { description: 'All places of the API reference.', example: { entries: [exampleEntry] } },
)
