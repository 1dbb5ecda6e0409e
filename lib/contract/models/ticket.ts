import * as z from 'zod/mini'
import { nonEmptyText } from './fields.ts'

export const Ticket = z.strictObject({ ticket: nonEmptyText })
export type Ticket = z.output<typeof Ticket>
