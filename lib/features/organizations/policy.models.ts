import * as z from 'zod/mini'
import { field, model } from '../../kernel/contract/model.ts'

const mostCreated = 100
const mostGraceDays = 365

/** The fields of the policy of organizations. */
export const organizationPolicyFields = {
  creation: field(
    z.optional(z.enum(['administrators', 'everybody'])),
    docs && {
      description:
        'Who may create an organization: holders of `organizations:manage` alone, or everybody with a confirmed email address, who becomes its owner. Default: `administrators`.',
      example: 'everybody' as const,
    },
    { inEvents: 'value' },
  ),
  creations_max: field(
    z.optional(z.int().check(z.minimum(1), z.maximum(mostCreated))),
    docs && {
      description: `How many organizations a user can create, if everybody may: 1 to ${mostCreated}. Deleted ones count, because their slugs stay reserved for a time. Default: 3.`,
      example: 3,
    },
    { inEvents: 'value' },
  ),
  ending_grace_days: field(
    z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(mostGraceDays)))),
    docs && {
      description: `After how many days an organization is deleted whose owner asked for it: 1 to ${mostGraceDays}. Until then, an owner can keep it. Default: null, so that owners cannot ask for it.`,
      example: 30,
    },
    { inEvents: 'value' },
  ),
  company_sign_in: field(
    z.optional(z.enum(['never', 'ask', 'always'])),
    docs && {
      description:
        'Whether members whose roles allow it may connect an identity provider of their organization: `never`, `ask` for one that an administrator has to approve, or `always`. A domain has to be proven in each case. Default: `never`.',
      example: 'ask' as const,
    },
    { inEvents: 'value' },
  ),
}

/** Who may create an organization. */
export const OrganizationPolicy = model(
  organizationPolicyFields,
  docs && {
    description: 'What organizations and their members may do for themselves.',
    example: {
      creation: 'everybody' as const,
      creations_max: 3,
      ending_grace_days: 30,
      company_sign_in: 'ask' as const,
    },
  },
)
export type OrganizationPolicy = z.output<typeof OrganizationPolicy>
