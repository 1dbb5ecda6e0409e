import * as z from 'zod/mini'
import { flag, id, nullableTextUpTo255, readOnlyText, text255 } from './fields.ts'

export const ServiceUserMini = z.strictObject({
  id,
  display_name: readOnlyText,
  email: nullableTextUpTo255,
  full_name: nullableTextUpTo255,
  is_external: flag,
  is_cloud: flag,
  username: text255,
})
export type ServiceUserMini = z.output<typeof ServiceUserMini>
