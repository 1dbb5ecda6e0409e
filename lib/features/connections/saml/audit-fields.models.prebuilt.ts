import { listAudited } from '../../../kernel/contract/model.ts'
import { samlFields } from './models.ts'

/* Computed when functions are built, because a job that reads metadata contains no schemas. */

export const samlAuditFields = listAudited(samlFields)
