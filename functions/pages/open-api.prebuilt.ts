import { operations } from '../../lib/contract/operations.ts'
import { buildOpenApi } from '../../lib/open-api/build-open-api.ts'

/** The OpenAPI document, apart from what depends on the configuration. */
export const openApi = buildOpenApi(operations)
