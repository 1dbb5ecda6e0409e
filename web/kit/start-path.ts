import type { PageData } from '../../lib/kernel/contract/page-data.ts'

export const appElement = document.getElementById('app') ?? document.body

/** What the server wrote into this page. */
export const pageData: PageData = JSON.parse(appElement.dataset['page'] ?? '{}')

/** Whether the page is the preview in the console. What took the focus there would scroll the console. */
export const isPreview = window !== window.parent
