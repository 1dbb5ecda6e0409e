import * as z from 'zod/mini'
import { anyText, dateTime, flag, id, nonEmptyText, texts } from './fields.ts'

/** A SAML response in the form in which a browser posts it. */
export const DiagnoseSAMLResponseRequest = z.strictObject({
  saml_response: nonEmptyText,
  relay_state: z.optional(anyText),
})
export type DiagnoseSAMLResponseRequest = z.output<typeof DiagnoseSAMLResponseRequest>

const nullableText = z.nullable(anyText)

/** The result of one validation step. */
export const SAMLDiagnosisStep = z.strictObject({
  name: nonEmptyText,
  /** The section of the specification that requires the step. */
  clause: nonEmptyText,
  outcome: z.enum(['held', 'failed', 'skipped']),
  finding: nonEmptyText,
  /** What to change if the step failed. */
  remedy: nullableText,
})
export type SAMLDiagnosisStep = z.output<typeof SAMLDiagnosisStep>

/** The user that a response describes. */
export const SAMLDiagnosisSubject = z.strictObject({
  name_id: nonEmptyText,
  name_id_format: nullableText,
  session_index: nullableText,
  username: nullableText,
  email: nullableText,
  full_name: nullableText,
  /** Null if the assertion does not mention groups. */
  groups: z.nullable(texts),
  /** The ID of the linked user, if there is one. */
  user: z.nullable(id),
})
export type SAMLDiagnosisSubject = z.output<typeof SAMLDiagnosisSubject>

export const SAMLDiagnosis = z.strictObject({
  /** Whether the response would sign in a user. */
  accepted: flag,
  steps: z.array(SAMLDiagnosisStep),
  /** Null unless the signature of the provider covers all of it and every step succeeded. */
  subject: z.nullable(SAMLDiagnosisSubject),
})
export type SAMLDiagnosis = z.output<typeof SAMLDiagnosis>

/** What a test sign-in found. */
export const SAMLTestResult = z.strictObject({
  ...SAMLDiagnosis.shape,
  received_at: dateTime,
})
export type SAMLTestResult = z.output<typeof SAMLTestResult>
