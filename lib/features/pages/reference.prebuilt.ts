import { buildPages } from '../../../build/pages/build-pages.ts'
import { buildReference } from '../../../build/reference/build-reference.ts'
import { readDocument } from '../../../build/reference/document.ts'
import { listGuideEntries, readGuides, renderGuideNavigation } from '../../../build/reference/guides.ts'
import { operations } from '../operations.ts'
import { openApi } from './open-api.prebuilt.ts'

const { shell } = buildPages({ shell: new URL('../../../web/reference/page.html', import.meta.url) })

const guides = readGuides()
const built = buildReference(readDocument(openApi), operations, shell)

/** The API reference in parts, apart from what depends on the configuration. The guides are in its navigation and its search. */
export const reference = {
  ...built,
  navigation: renderGuideNavigation(guides).markup + built.navigation,
  index: [...built.index, ...listGuideEntries(guides)],
}

/** The URL of the service in the reference, which stands for that of the configuration. */
export const builtServer = openApi.servers.map(({ url }) => url).join()
