import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { anyText, id, integer } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

/** What a dialog showed to the owner who asks. */
export const OrganizationEndingShown = model(
  {
    organization: field(id, docs && 'The ID of the organization.'),
    name: field(anyText, docs && 'The name of the organization.'),
    grace_days: field(integer, docs && 'The days until the organization is deleted.'),
  },
  docs && {
    description: 'What a dialog showed to an owner who has an organization deleted.',
    example: { organization: exampleIds.organization, name: 'Acme Studios', grace_days: 30 },
  },
)

/** A request of a dialog says what the dialog showed. */
export const OrganizationEndingRequest = model(
  {
    shown: field(
      z.optional(OrganizationEndingShown),
      docs && 'What a dialog showed. If that has changed since, nothing is requested.',
    ),
  },
  docs && { description: 'A request to have an organization deleted.', example: {} },
)
export type OrganizationEndingRequest = z.output<typeof OrganizationEndingRequest>
