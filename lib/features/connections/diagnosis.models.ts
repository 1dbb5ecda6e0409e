import * as z from 'zod/mini'
import { exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import { describeModel } from '../../kernel/contract/describe.ts'
import { anyText, dateTime, flag, id, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { ReceivedAttribute } from './rules.models.ts'

const nullableText = z.nullable(anyText)

const exampleCheck = docs && {
  name: 'audience',
  clause: 'Core 2.5.1.4',
  outcome: 'held' as const,
  finding: 'The assertion is for this service.',
  remedy: null,
}

/** The result of one check. */
export const DiagnosisCheck = model(
  {
    name: field(nonEmptyText, docs && 'The name of the check. A refused sign-in has it as its `reason`.'),
    clause: field(
      nonEmptyText,
      docs && 'The section of the SAML specifications that requires the check, or the rule of this service.',
    ),
    outcome: field(
      z.enum(['held', 'failed', 'skipped']),
      docs &&
        '`held` if the response passed, `failed` if not, and `skipped` if an earlier failure made the check impossible.',
    ),
    finding: field(nonEmptyText, docs && 'What the check found, in a sentence for administrators.'),
    remedy: field(
      nullableText,
      docs && 'What to change so that the check passes. Null if there is nothing to change.',
    ),
  },
  docs && { description: 'The result of one check of a SAML response.', example: exampleCheck },
)
export type DiagnosisCheck = z.output<typeof DiagnosisCheck>

const exampleSubject = docs && {
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

/** The user that a response describes. */
export const DiagnosisSubject = model(
  {
    name_id: field(nonEmptyText, docs && 'The name by which the identity provider identifies the user.'),
    name_id_format: field(nullableText, docs && 'The format of the name. Null if the response has none.'),
    session_index: field(
      nullableText,
      docs && 'The name of the session at the identity provider. Null if the response has none.',
    ),
    username: field(nullableText, docs && 'The username in the attributes. Null if there is none.'),
    email: field(nullableText, docs && 'The email address in the attributes. Null if there is none.'),
    full_name: field(nullableText, docs && 'The full name in the attributes. Null if there is none.'),
    groups: field(
      z.nullable(texts),
      docs && 'The names of the groups in the attributes. Null if the response does not mention groups.',
    ),
    user: field(
      z.nullable(id),
      docs && 'The ID of the user here whom the response would sign in. Null if there is none yet.',
    ),
    authn_contexts: field(
      texts,
      docs && 'How the user signed in at the identity provider (SAML Core 2.7.2.2).',
    ),
    attributes: field(
      z.array(ReceivedAttribute),
      docs && 'What the identity provider sent about the user, for `attribute_mapping`.',
    ),
  },
  docs && {
    description: 'The user whom a SAML response describes, as read from its attributes.',
    example: exampleSubject,
  },
)
export type DiagnosisSubject = z.output<typeof DiagnosisSubject>

export const SignInDiagnosis = model(
  {
    accepted: field(flag, docs && 'Whether the response would sign in a user.'),
    steps: field(z.array(DiagnosisCheck), docs && 'The result of each check.'),
    subject: field(
      z.nullable(DiagnosisSubject),
      docs &&
        'The user whom the response describes. Null unless a valid signature covers all of it and every check of its content passed.',
    ),
  },
  docs && {
    description: 'All checks of a SAML response, in the order in which a sign-in makes them.',
    example: { accepted: true, steps: [exampleCheck], subject: exampleSubject },
  },
)
export type SignInDiagnosis = z.output<typeof SignInDiagnosis>

/** What a test sign-in found. */
export const ConnectionTestResult = z.strictObject({
  ...SignInDiagnosis.shape,
  received_at: dateTime,
})
export type ConnectionTestResult = z.output<typeof ConnectionTestResult>

if (docs)
  describeModel(ConnectionTestResult, () => ({
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
      steps: [exampleCheck],
      subject: exampleSubject,
      received_at: exampleTimes.signedIn,
    },
  }))
