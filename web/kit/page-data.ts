import type { PageData } from '../../lib/contract/page-data.ts'

export const appElement = document.getElementById('app') ?? document.body

/** What the server wrote into this page. */
export const pageData: PageData = JSON.parse(appElement.dataset['page'] ?? '{}')
