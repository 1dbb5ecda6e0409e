import * as z from 'zod/mini'
import { exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import { anyText, dateTime, id, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { AuditEventChange } from '../audit/models.ts'

export const OrganizationEvent = model(
  {
    id: field(nonEmptyText, docs && 'Identifies the event. The audit event of the service has the same ID.'),
    created_at: field(dateTime, docs && 'When it happened: ISO 8601, UTC.'),
    event: field(
      nonEmptyText,
      docs && 'The name of the event. The reference of audit events says what each one means.',
    ),
    user: field(
      z.nullable(id),
      docs && 'The ID of the user whose membership the event is about. Null if it is about none.',
    ),
    user_name: field(
      z.nullable(anyText),
      docs &&
        'The username of `user`. Null if they are no member now, or if the caller may not see the members.',
    ),
    actor: field(
      z.nullable(id),
      docs &&
        'The ID of the member who acted. Null if the service, or an API token of the organization, did.',
    ),
    actor_name: field(z.nullable(anyText), docs && 'The username of `actor`, by the same rule.'),
    api_token: field(
      z.nullable(id),
      docs && 'The ID of the API token of the organization that acted. Null if none did.',
    ),
    target: field(
      z.nullable(anyText),
      docs && 'What was affected, as in the audit event: IDs, and names of roles, fields or domains.',
    ),
    changes: field(
      z.optional(z.array(AuditEventChange)),
      docs &&
        'The fields that changed, without those that only administrators of the service see. Missing without any.',
    ),
  },
  docs && {
    description:
      'What happened in an organization: the part of an audit event that its people may see. It has no network address, and nothing about people who are not in the organization.',
    example: {
      id: `${exampleTimes.signedIn}#ExampleEvent`,
      created_at: exampleTimes.signedIn,
      event: 'organization.member_changed',
      user: exampleIds.user,
      user_name: 'ada',
      actor: exampleIds.administrator,
      actor_name: 'grace',
      api_token: null,
      target: `${exampleIds.organization} editor`,
      changes: [
        { field: 'roles', from: 'member', to: null },
        { field: 'roles', from: null, to: 'editor' },
      ],
    },
  },
)
export type OrganizationEvent = z.output<typeof OrganizationEvent>
