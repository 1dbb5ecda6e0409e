import * as z from 'zod/mini'
import { text } from '../../kernel/contract/fields.ts'
import { field } from '../../kernel/contract/model.ts'
import { proofLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'

export const proofDescription =
  docs &&
  `Needed only after an answer with the reason \`proof_required\`: the Base64 of the JSON \`{"challenge": …, "solution": …}\` with the \`challenge\` of that answer and its solution, as the libraries of ALTCHA write it. It works once, for this operation, for ${describeDuration(proofLifetimeMs)}.`

/** The field of an operation that emails anyone. A proof has about 800 characters. */
export const proofText = z.optional(text(2000))
export const proof = field(proofText, docs && proofDescription)
