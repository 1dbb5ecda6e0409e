import { anyone } from '../../../kernel/contract/access.ts'
import { SAMLSetup } from './setup.models.ts'

/** What the operations with which the holder of a link changes the connection have in common. */
export const changeByLink = {
  group: 'connections',
  method: 'POST',
  access: anyone,
  responses: { 200: docs && SAMLSetup },
  audit: ['saml_setup.changed', 'saml_setup.link_refused'],
  limits: ['lookUpFailures', 'samlSetupChanges'],
} as const

/** Their errors. */
export const linkErrors = ['invalid_token', 'permission_denied', 'conflict', 'too_many_requests'] as const
