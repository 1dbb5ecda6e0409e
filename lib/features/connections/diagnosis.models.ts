import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { anyText, dateTime, flag, id, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { exampleIds, exampleTimes } from '../example-values.models.ts'
import { ReceivedAttribute } from './rules.models.ts'

/** A SAML response in the form in which a browser posts it. */
export const DiagnoseSAMLResponseRequest = z.strictObject({
  saml_response: nonEmptyText,
  relay_state: z.optional(anyText),
})
export type DiagnoseSAMLResponseRequest = z.output<typeof DiagnoseSAMLResponseRequest>

describeModel(DiagnoseSAMLResponseRequest, () => ({
  description:
    'A SAML response to check without signing anyone in. Copy it from the developer tools of a browser.',
  fields: {
    saml_response: 'The value of the form field `SAMLResponse`: base64 of XML.',
    relay_state: 'The value of the form field `RelayState`. It finds the request that the response answers.',
  },
  example: { saml_response: 'PHNhbWxwOlJlc3BvbnNlPi4uLjwvc2FtbHA6UmVzcG9uc2U+' },
}))

const nullableText = z.nullable(anyText)

/** The result of one validation step. */
export const SAMLDiagnosisStep = z.strictObject({
  name: nonEmptyText,
  clause: nonEmptyText,
  outcome: z.enum(['held', 'failed', 'skipped']),
  finding: nonEmptyText,
  remedy: nullableText,
})
export type SAMLDiagnosisStep = z.output<typeof SAMLDiagnosisStep>

const exampleStep = {
  name: 'audience',
  clause: 'Core 2.5.1.4',
  outcome: 'held' as const,
  finding: 'The assertion is for this service.',
  remedy: null,
}

describeModel(SAMLDiagnosisStep, () => ({
  description: 'The result of one check of a SAML response.',
  fields: {
    name: 'The name of the check. A refused sign-in has it as its `reason`.',
    clause: 'The section of the SAML specifications that requires the check, or the rule of this service.',
    outcome:
      '`held` if the response passed, `failed` if not, and `skipped` if an earlier failure made the check impossible.',
    finding: 'What the check found, in a sentence for administrators.',
    remedy: 'What to change so that the check passes. Null if there is nothing to change.',
  },
  example: exampleStep,
}))

/** The user that a response describes. */
export const SAMLDiagnosisSubject = z.strictObject({
  name_id: nonEmptyText,
  name_id_format: nullableText,
  session_index: nullableText,
  username: nullableText,
  email: nullableText,
  full_name: nullableText,
  groups: z.nullable(texts),
  user: z.nullable(id),
  authn_contexts: texts,
  attributes: z.array(ReceivedAttribute),
})
export type SAMLDiagnosisSubject = z.output<typeof SAMLDiagnosisSubject>

const exampleSubject = {
  name_id: '5f0c1d9e-4b7a-4f68-9c30-ada000000007',
  name_id_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  session_index: '_session-1',
  username: 'ada',
  email: 'ada@example.com',
  full_name: 'Ada Lovelace',
  groups: ['editors'],
  user: exampleIds.user,
  authn_contexts: ['urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'],
  attributes: [{ name: 'mail', values: ['ada@example.com'], is_cut: false }],
}

describeModel(SAMLDiagnosisSubject, () => ({
  description: 'The user whom a SAML response describes, as read from its attributes.',
  fields: {
    name_id: 'The name by which the identity provider identifies the user.',
    name_id_format: 'The format of the name. Null if the response has none.',
    session_index: 'The name of the session at the identity provider. Null if the response has none.',
    username: 'The username in the attributes. Null if there is none.',
    email: 'The email address in the attributes. Null if there is none.',
    full_name: 'The full name in the attributes. Null if there is none.',
    groups: 'The names of the groups in the attributes. Null if the response does not mention groups.',
    user: 'The ID of the user here whom the response would sign in. Null if there is none yet.',
    authn_contexts: 'How the user signed in at the identity provider (SAML Core 2.7.2.2).',
    attributes: 'What the identity provider sent about the user, for `attribute_mapping`.',
  },
  example: exampleSubject,
}))

export const SAMLDiagnosis = z.strictObject({
  accepted: flag,
  steps: z.array(SAMLDiagnosisStep),
  subject: z.nullable(SAMLDiagnosisSubject),
})
export type SAMLDiagnosis = z.output<typeof SAMLDiagnosis>

describeModel(SAMLDiagnosis, () => ({
  description: 'All checks of a SAML response, in the order in which a sign-in makes them.',
  fields: {
    accepted: 'Whether the response would sign in a user.',
    steps: 'The result of each check.',
    subject:
      'The user whom the response describes. Null unless a valid signature covers all of it and every check of its content passed.',
  },
  example: { accepted: true, steps: [exampleStep], subject: exampleSubject },
}))

/** What a test sign-in found. */
export const SAMLTestResult = z.strictObject({
  ...SAMLDiagnosis.shape,
  received_at: dateTime,
})
export type SAMLTestResult = z.output<typeof SAMLTestResult>

describeModel(SAMLTestResult, () => ({
  description: 'What a test sign-in of an administrator found.',
  fields: {
    accepted: 'Whether the response would sign in a user.',
    steps: 'The result of each check.',
    subject:
      'The user whom the response describes. Null if a check failed, or if the provider sent more than the service stores.',
    received_at: 'When the response arrived.',
  },
  example: {
    accepted: true,
    steps: [exampleStep],
    subject: exampleSubject,
    received_at: exampleTimes.signedIn,
  },
}))
