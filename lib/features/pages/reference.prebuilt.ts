import { buildPages } from '../../../build/pages/build-pages.ts'
import { buildReference } from '../../../build/reference/build-reference.ts'
import { readDocument } from '../../../build/reference/document.ts'
import { operations } from '../operations.ts'
import { openApi } from './open-api.prebuilt.ts'

const { shell } = buildPages({ shell: new URL('../../../web/reference/page.html', import.meta.url) })

/** The API reference in parts, apart from what depends on the configuration. */
export const reference = buildReference(readDocument(openApi), operations, shell)

/** The URL of the service in the reference, which stands for that of the configuration. */
export const builtServer = openApi.servers.map(({ url }) => url).join()
