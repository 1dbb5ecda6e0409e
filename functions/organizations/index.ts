import * as ending from '../../lib/features/organizations/ending.use-cases.ts'
import * as events from '../../lib/features/organizations/events.use-cases.ts'
import * as invitations from '../../lib/features/organizations/invitations.use-cases.ts'
import * as joinByCode from '../../lib/features/organizations/join-by-code.use-cases.ts'
import * as members from '../../lib/features/organizations/members.use-cases.ts'
import { organizations } from '../../lib/features/organizations/operations.ts'
import * as policy from '../../lib/features/organizations/policy.use-cases.ts'
import * as roles from '../../lib/features/organizations/roles.use-cases.ts'
import { organizationTokens } from '../../lib/features/organizations/tokens.operations.ts'
import * as tokens from '../../lib/features/organizations/tokens.use-cases.ts'
import * as useCases from '../../lib/features/organizations/use-cases.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(
  { ...organizations, ...organizationTokens },
  {
    ...tokens,
    ...useCases,
    ...members,
    ...ending,
    ...events,
    ...invitations,
    ...joinByCode,
    ...roles,
    ...policy,
    ...onDemand(
      () => import('../../lib/features/organizations/branding.use-cases.ts'),
      'getOrganizationBranding',
      'updateOrganizationBranding',
      'resetOrganizationBranding',
    ),
    ...onDemand(
      () => import('../../lib/features/mail/own-texts/organization.use-cases.ts'),
      'listOrganizationEmailTexts',
      'getOrganizationEmailText',
      'updateOrganizationEmailText',
      'resetOrganizationEmailText',
      'previewOrganizationEmailText',
    ),
  },
)
