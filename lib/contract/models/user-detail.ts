import * as z from 'zod/mini'
import { ids, jsonValue } from './fields.ts'
import { userFields } from './user-fields.ts'

export const ServiceUserDetail = z.strictObject({ ...userFields, groups: ids, ldap: jsonValue })
export type ServiceUserDetail = z.output<typeof ServiceUserDetail>
