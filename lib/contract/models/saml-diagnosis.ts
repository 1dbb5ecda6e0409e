import * as z from 'zod/mini'
import { anyText, flag, id, nonEmptyText, texts } from './fields.ts'

/** A response as a browser posted it, or would have. */
export const DiagnoseSAMLResponseRequest = z.strictObject({
  saml_response: nonEmptyText,
  relay_state: z.optional(anyText),
})
export type DiagnoseSAMLResponseRequest = z.output<typeof DiagnoseSAMLResponseRequest>

const nullableText = z.nullable(anyText)

/** How one of the things went that a response has to be. */
export const SAMLDiagnosisStep = z.strictObject({
  name: nonEmptyText,
  /** The specification that asks for it. */
  clause: nonEmptyText,
  outcome: z.enum(['held', 'failed', 'skipped']),
  finding: nonEmptyText,
  /** What to change, where it failed. */
  remedy: nullableText,
})
export type SAMLDiagnosisStep = z.output<typeof SAMLDiagnosisStep>

/** Whom a response is about. */
export const SAMLDiagnosisSubject = z.strictObject({
  name_id: nonEmptyText,
  name_id_format: nullableText,
  session_index: nullableText,
  username: nullableText,
  email: nullableText,
  full_name: nullableText,
  /** Null where the assertion says nothing of groups. */
  groups: z.nullable(texts),
  /** The user here, where there is one already. */
  user: z.nullable(id),
})
export type SAMLDiagnosisSubject = z.output<typeof SAMLDiagnosisSubject>

export const SAMLDiagnosis = z.strictObject({
  /** Whether it would sign somebody in. */
  accepted: flag,
  steps: z.array(SAMLDiagnosisStep),
  /** Null unless every word of it is known to be the provider's, and good. */
  subject: z.nullable(SAMLDiagnosisSubject),
})
export type SAMLDiagnosis = z.output<typeof SAMLDiagnosis>
