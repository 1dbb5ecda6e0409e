import * as z from 'zod/mini'
import { id } from './fields.ts'

export const ImpersonationEndpointRequest = z.strictObject({ user: id })
export type ImpersonationEndpointRequest = z.output<typeof ImpersonationEndpointRequest>
