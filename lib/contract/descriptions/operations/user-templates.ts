import { UserTemplate } from '../../models/user-templates.ts'
import type { userTemplates } from '../../operations/user-templates.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'

const id = { description: 'The ID of the user template.', example: 4 } as const

export const userTemplatesTexts: OperationTexts<typeof userTemplates> = {
  getAllUserTemplates: {
    description: 'Lists the templates from which a SAML sign-in can create users.',
    parameters: {},
    responses: { 200: [{ summary: 'User templates', value: [exampleOf(UserTemplate)] }] },
  },
  createUserTemplate: {
    description: `Creates a user template. Name it as \`user_template\` of a SAML provider with \`auto_create_users\`: new users of the provider
then start with its permissions, groups, language and start page. Callers can give only permissions that they hold
themselves. A taken name is a 409. The audit event is \`user_template.created\`.`,
    parameters: {},
    request: [
      {
        summary: 'External users in a group',
        value: { name: 'Agency staff', groups: [3], language: 'en', is_external: true },
      },
    ],
    responses: { 201: [{ summary: 'The new user template', value: exampleOf(UserTemplate) }] },
  },
  getUserTemplate: {
    description: 'Gets a user template.',
    parameters: { id },
    responses: { 200: [{ summary: 'A user template', value: exampleOf(UserTemplate) }] },
  },
  updateUserTemplate: {
    description: `Replaces all fields of a user template. Fields that you leave out get their default. Users that were created from it before
stay as they are. The audit event is \`user_template.changed\`.`,
    parameters: { id },
    request: [
      {
        summary: 'All fields of a template',
        value: {
          name: 'Example Corp staff',
          permissions: ['media:access'],
          groups: [3],
          language: 'en',
          default_page: '/',
          is_external: false,
        },
      },
    ],
    responses: { 200: [{ summary: 'The changed user template', value: exampleOf(UserTemplate) }] },
  },
  patchUserTemplate: {
    description: `Changes the fields of a user template that the body contains. Users that were created from it before stay as they are. The
audit event is \`user_template.changed\`.`,
    parameters: { id },
    request: [{ summary: 'Another language', value: { language: 'de' } }],
    responses: { 200: [{ summary: 'The changed user template', value: exampleOf(UserTemplate) }] },
  },
  deleteUserTemplate: {
    description: `Deletes a user template. If a SAML provider uses it, the response is 409 and names the providers: give them another template
first. The audit event is \`user_template.deleted\`.`,
    parameters: { id },
  },
}
