/*
 * Limits of AWS, as its documentation states them. Quotas are those of an account that asked for no others. Service Quotas
 * shows those of yours.
 */

/** Units a second that a new table on demand takes at once. It has as much for each index. */
export const newTableUnits = { read: 12_000, write: 4_000 } as const
/** Units a second of one partition key, of a table or an index. */
export const partitionUnits = { read: 3_000, write: 1_000 } as const
/** Units a second of one table on demand, as the quotas of an account allow. */
export const tableUnitsQuota = { read: 40_000, write: 40_000 } as const
/** Requests a second of all HTTP APIs of an account in a region, and in a burst. */
export const gatewayRequestsQuota = { perSecond: 10_000, inBurst: 5_000 } as const
/** Executions at the same time of all functions of an account in a region: of most accounts, and of a new one. */
export const executionsQuota = { usual: 1_000, newAccount: 10 } as const
/** Emails of an account that is in the sandbox of SES, and those of many accounts after it has left. */
export const emailsQuota = {
  sandbox: { perSecond: 1, perDay: 200 },
  production: { perSecond: 14, perDay: 50_000 },
} as const
