import * as z from 'zod/mini'
import { adminBySession } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import {
  EmailText,
  EmailTextChange,
  EmailTextKind,
  EmailTextPreview,
  EmailTextPreviewRequest,
  EmailTextTrial,
} from './models.ts'

const path = '/api/2/branding/email-texts/{owner}/{kind}/{language}'

const ownerTexts =
  docs &&
  ({
    owner: {
      description:
        'Whose words they are: `service`, `product:` and the name of a product in the setting `linkUrl`, or `organization:` and an ID.',
      example: 'service',
    },
  } as const)
const parameters =
  docs &&
  ({
    kind: {
      description: 'The kind of emails, as `list_email_texts` names it.',
      example: 'password_reset',
    },
    language: { description: 'The language of the words.', example: 'en' },
    ...ownerTexts,
  } as const)
const responses = docs && [{ summary: 'Own words with one change', value: exampleOf(EmailText) }]
const rules =
  docs &&
  'Words that break a rule are a 400. Its errors name the line and what is allowed: an unknown variable, a missing link or code, HTML, or a link to another domain.'

/** Own words of emails. They belong to the branding. */
export const emailTexts = {
  listEmailTexts: defineOperation({
    id: 'list_email_texts',
    group: 'branding',
    method: 'GET',
    path: '/api/2/branding/email-texts/{owner}',
    access: adminBySession,
    summary: 'List the emails that can have own words',
    responses: { 200: docs && z.array(EmailTextKind) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the kinds of emails that the service, a product or an organization can have own words for, with their variables and the languages that have words.',
        parameters: ownerTexts,
        responses: { 200: [{ summary: 'One kind', value: [exampleOf(EmailTextKind)] }] },
      })),
  }),
  getEmailText: defineOperation({
    id: 'get_email_text',
    group: 'branding',
    method: 'GET',
    path,
    access: adminBySession,
    summary: 'Get own words of emails',
    responses: { 200: docs && EmailText },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets the own words of a kind of emails in a language, and what they were before.',
        parameters,
        responses: { 200: responses },
      })),
  }),
  updateEmailText: defineOperation({
    id: 'update_email_text',
    group: 'branding',
    method: 'PUT',
    path,
    access: adminBySession,
    summary: 'Set own words of emails',
    body: writable(EmailTextChange, EmailText),
    responses: { 200: docs && EmailText },
    errors: ['not_found', 'conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['email_texts'] },
    text:
      docs &&
      describe(() => ({
        description: `Sets the own words of a kind of emails in a language. ${rules}`,
        parameters,
        request: [{ summary: 'Words for the email with a reset link', value: exampleOf(EmailTextChange) }],
        responses: { 200: responses },
      })),
  }),
  resetEmailText: defineOperation({
    id: 'reset_email_text',
    group: 'branding',
    method: 'DELETE',
    path,
    access: adminBySession,
    summary: 'Return to the built-in words of emails',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['email_texts'] },
    text:
      docs &&
      describe(() => ({
        description: 'Removes the own words of a kind of emails in a language. Their history stays.',
        parameters,
      })),
  }),
  previewEmailText: defineOperation({
    id: 'preview_email_text',
    group: 'branding',
    method: 'POST',
    path: `${path}/preview`,
    access: adminBySession,
    summary: 'Preview own words of emails',
    body: EmailTextPreviewRequest,
    responses: { 200: docs && EmailTextPreview },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Renders an email with words that need not be saved, and with values of your choice. Nothing is sent. ${rules}`,
        parameters,
        request: [{ summary: 'Words and a username', value: exampleOf(EmailTextPreviewRequest) }],
        responses: { 200: [{ summary: 'The email', value: exampleOf(EmailTextPreview) }] },
      })),
  }),
  sendEmailTextTest: defineOperation({
    id: 'send_email_text_test',
    group: 'branding',
    method: 'POST',
    path: `${path}/test`,
    access: adminBySession,
    notWhileImpersonating: true,
    summary: 'Send yourself an email with own words',
    body: EmailTextTrial,
    responses: { 204: null },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    limits: ['emailTextTests'],
    text:
      docs &&
      describe(() => ({
        description: `Sends an email with words that need not be saved to the verified address of the caller, and to nobody else. ${rules}`,
        parameters,
        request: [{ summary: 'Words to try', value: exampleOf(EmailTextTrial) }],
      })),
  }),
}
