import { operations } from '../../contract/operations.ts'
import { buildOpenApi } from '../../open-api/build-open-api.ts'

/** The OpenAPI document, apart from what depends on the configuration. */
export const openApi = buildOpenApi(operations)
