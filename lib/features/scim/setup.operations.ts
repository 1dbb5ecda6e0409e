import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { SAMLSetup, SAMLSetupToken } from '../connections/saml/setup.models.ts'
import { changeByLink, linkErrors } from '../connections/saml/setup-changes.models.ts'
import { ScimTokenWithSecret } from './models.ts'

const exampleToken = docs && [{ summary: 'The token of a link', value: exampleOf(SAMLSetupToken) }]

/** With a set-up link, customers also set up their directory. */
export const scimSetup = {
  startSamlSetupDirectory: defineOperation({
    id: 'start_saml_setup_directory',
    ...changeByLink,
    path: '/api/2/auth/saml-setup/directory',
    summary: 'Turn the directory of a connection on with a set-up link',
    body: SAMLSetupToken,
    errors: linkErrors,
    audit: [...changeByLink.audit, 'scim.changed'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Lets the directory of the customer send people and groups once the connection is live. A link without \`allows_directory\` gets a 403.
What administrators set for the directory stays.`,
        parameters: {},
        request: exampleToken || [],
        responses: { 200: [{ summary: 'The directory is on', value: exampleOf(SAMLSetup) }] },
      })),
  }),
  createSamlSetupDirectoryToken: defineOperation({
    id: 'create_saml_setup_directory_token',
    ...changeByLink,
    path: '/api/2/auth/saml-setup/directory/tokens',
    summary: 'Create a token of the directory with a set-up link',
    body: SAMLSetupToken,
    responses: { 201: docs && ScimTokenWithSecret },
    errors: linkErrors,
    audit: [...changeByLink.audit, 'scim.token_created'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Creates a token with which the directory sends people and groups. It works once the connection is live. It ends if another link or an
administrator takes the place of the holder before that. There are up to two. The directory has to be on, or the response is a 409.`,
        parameters: {},
        request: exampleToken || [],
        responses: {
          201: [{ summary: 'The token with its value', value: exampleOf(ScimTokenWithSecret) }],
        },
      })),
  }),
}
