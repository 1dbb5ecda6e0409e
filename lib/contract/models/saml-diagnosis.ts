import * as z from 'zod/mini'
import { anyText, flag, id, nonEmptyText, texts } from './fields.ts'

/** A response as a browser posted it, or would have. */
export const DiagnoseSAMLResponseRequest = z.strictObject({
  saml_response: nonEmptyText,
  relay_state: z.optional(anyText),
})
export type DiagnoseSAMLResponseRequest = z.output<typeof DiagnoseSAMLResponseRequest>

const nullableText = z.nullable(anyText)

export const SAMLDiagnosis = z.strictObject({
  /** Whether it would sign somebody in. */
  accepted: flag,
  steps: z.array(
    z.strictObject({
      name: nonEmptyText,
      /** The specification that asks for it. */
      clause: nonEmptyText,
      outcome: z.enum(['held', 'failed', 'skipped']),
      finding: nonEmptyText,
      /** What to change, where it failed. */
      remedy: nullableText,
    }),
  ),
  /** Whom it is about; null as long as its words aren't known to be those of the provider. */
  subject: z.nullable(
    z.strictObject({
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
    }),
  ),
})
export type SAMLDiagnosis = z.output<typeof SAMLDiagnosis>
