import * as z from 'zod/mini'
import { exampleIds } from '../../../accounts/example-values.models.ts'
import { byRoleOrToken } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import {
  EmailText,
  EmailTextChange,
  EmailTextKind,
  EmailTextPreview,
  EmailTextPreviewRequest,
} from './models.ts'

const access = byRoleOrToken('org:settings:manage', 'organizations:manage')
const ofOrganization = '/api/2/organizations/{id}/email-texts'
const path = `${ofOrganization}/{kind}/{language}` as const

const organizationId =
  docs && ({ id: { description: 'The ID of the organization.', example: exampleIds.organization } } as const)
const parameters =
  docs &&
  ({
    ...organizationId,
    kind: {
      description: 'The kind of emails, as `list_organization_email_texts` names it.',
      example: 'organization_invitation',
    },
    language: { description: 'The language of the words.', example: 'en' },
  } as const)
const rules =
  docs &&
  'Words that break a rule are a 400. Its errors name the line and what is allowed. Links may lead to the service and to domains that the organization proved.'

const exampleWords = docs && {
  subject: 'Join {organization}',
  body: '{inviter} invites you to {organization}.\n\n[Join]({link})',
}
const exampleText = docs && {
  ...exampleOf(EmailText),
  ...{ kind: 'organization_invitation' as const, ...exampleWords },
  versions: [],
}
const exampleKind = docs && {
  ...exampleOf(EmailTextKind),
  kind: 'organization_invitation' as const,
  variables: ['product', 'host', 'organization', 'inviter'],
  required_variables: ['organization', 'inviter'],
}

/** Own words of the emails that an organization causes: those who manage its settings write them, as its branding. */
export const organizationEmailTexts = {
  listOrganizationEmailTexts: defineOperation({
    id: 'list_organization_email_texts',
    group: 'organizations',
    method: 'GET',
    path: ofOrganization,
    access,
    summary: 'List the emails of an organization that can have own words',
    responses: { 200: docs && z.array(EmailTextKind) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the kinds of emails that the organization can have own words for, with their variables and the languages that have words.',
        parameters: organizationId,
        responses: { 200: [{ summary: 'Its invitations', value: [exampleKind] }] },
      })),
  }),
  getOrganizationEmailText: defineOperation({
    id: 'get_organization_email_text',
    group: 'organizations',
    method: 'GET',
    path,
    access,
    summary: 'Get own words of emails of an organization',
    responses: { 200: docs && EmailText },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets the own words of a kind of emails in a language, and what they were before.',
        parameters,
        responses: { 200: [{ summary: 'Own words', value: exampleText }] },
      })),
  }),
  updateOrganizationEmailText: defineOperation({
    id: 'update_organization_email_text',
    group: 'organizations',
    method: 'PUT',
    path,
    access,
    summary: 'Set own words of emails of an organization',
    body: writable(EmailTextChange, EmailText),
    responses: { 200: docs && EmailText },
    errors: ['not_found', 'conflict'],
    audit: ['organization.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Sets the own words of a kind of emails in a language. Members need an organization with a proven domain: without one, the response is 403, and emails have the built-in words. ${rules}`,
        parameters,
        request: [{ summary: 'Words of invitations', value: exampleWords }],
        responses: { 200: [{ summary: 'Own words', value: exampleText }] },
      })),
  }),
  resetOrganizationEmailText: defineOperation({
    id: 'reset_organization_email_text',
    group: 'organizations',
    method: 'DELETE',
    path,
    access,
    summary: 'Return to the built-in words of emails of an organization',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['organization.changed'],
    text:
      docs &&
      describe(() => ({
        description: 'Removes the own words of a kind of emails in a language. Their history stays.',
        parameters,
      })),
  }),
  previewOrganizationEmailText: defineOperation({
    id: 'preview_organization_email_text',
    group: 'organizations',
    method: 'POST',
    path: `${path}/preview`,
    access,
    summary: 'Preview own words of emails of an organization',
    body: EmailTextPreviewRequest,
    responses: { 200: docs && EmailTextPreview },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Renders an email with words that need not be saved, and with values of your choice. Nothing is sent. ${rules}`,
        parameters,
        request: [
          { summary: 'Words and an inviter', value: { ...exampleWords, values: { inviter: 'Ada' } } },
        ],
        responses: { 200: [{ summary: 'The email', value: exampleOf(EmailTextPreview) }] },
      })),
  }),
}
