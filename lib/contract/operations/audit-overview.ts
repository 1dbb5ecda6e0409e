import { adminWithScope } from '../access.ts'
import { describe, exampleOf } from '../describe.ts'
import { Overview } from '../models/overview.ts'
import { defineOperation } from '../operation.ts'

/** Belongs to the group of audit events, because the counts come from them. */
export const auditOverview = {
  getOverview: defineOperation({
    id: 'get_overview',
    group: 'audit',
    method: 'GET',
    path: '/api/2/overview',
    access: adminWithScope('audit-events:view'),
    summary: 'Get what needs attention, and how often users signed in',
    responses: { 200: Overview },
    text: describe(() => ({
      description: `Returns what an administrator should look at, and the sign-ins of each day. It takes the same number of calls to the table
for any number of users and events. Of SAML providers, it looks at the first 300.

The counts of days come from the chains of audit events. If the chains stop, the counts stop as well, and \`attention\` says so.`,
      parameters: {},
      responses: { 200: [{ summary: 'A certificate ends', value: exampleOf(Overview) }] },
    })),
  }),
}
