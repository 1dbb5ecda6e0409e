import { buildPages } from '../../infra/pages/build-pages.ts'
import { buildReference } from '../../infra/reference/build-reference.ts'
import { readDocument } from '../../infra/reference/document.ts'
import { operations } from '../../lib/contract/operations.ts'
import { buildOpenApi } from '../../lib/open-api/build-open-api.ts'

const { shell } = buildPages({ shell: new URL('reference/page.html', import.meta.url) })

/** The API reference, apart from what depends on the configuration. */
export const reference = buildReference(readDocument(buildOpenApi(operations)), operations, shell)
