import { describeNew } from '../../accounts/events/change-event.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import type { ApiTokenRecord } from './records.ts'

/** What events say about an API token: what it may do, and until when. Its name reminds its owner of something, and stays theirs. */
export const apiTokenAuditFields: AuditedFields = {
  scopes: { inEvents: 'value' },
  expiry: { inEvents: 'value' },
}

/** What the event of a new token says about it. */
export const describeNewToken = (values: Pick<ApiTokenRecord, 'scopes' | 'expiresAt'>) =>
  describeNew({ fields: apiTokenAuditFields, before: {}, after: values })
