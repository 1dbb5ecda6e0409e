/** Requests in one bulk request. */
export const bulkOperationsMax = 100
