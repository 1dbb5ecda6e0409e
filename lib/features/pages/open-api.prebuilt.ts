import { buildOpenApi } from '../../open-api/build-open-api.ts'
import { operations } from '../operations.ts'

/** The OpenAPI document, apart from what depends on the configuration. */
export const openApi = buildOpenApi(operations)
