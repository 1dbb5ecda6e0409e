import * as z from 'zod/mini'
import { id, nonEmptyText } from './fields.ts'

/** A bundle or a directory that a token opens. */
export const OneTimeAccessTokenSharedObject = z.strictObject({ id, name: nonEmptyText })
export type OneTimeAccessTokenSharedObject = z.output<typeof OneTimeAccessTokenSharedObject>
