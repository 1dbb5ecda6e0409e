import * as z from 'zod/mini'
import { nonEmptyText } from './fields.ts'

export const ParseSAMLIDPMetadataRequest = z.strictObject({ url: nonEmptyText })
export type ParseSAMLIDPMetadataRequest = z.output<typeof ParseSAMLIDPMetadataRequest>

export const ParsedSAMLIDPMetadata = z.strictObject({
  entity_id: nonEmptyText,
  sso_url: nonEmptyText,
  certificate: nonEmptyText,
  slo_url: z.optional(nonEmptyText),
})
export type ParsedSAMLIDPMetadata = z.output<typeof ParsedSAMLIDPMetadata>
