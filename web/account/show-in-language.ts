import { languageParameter } from '../../lib/contract/page-data.ts'
import type { Language } from '../../lib/i18n/languages.ts'
import { pageData } from '../kit/page-data.ts'

/**
 * Shows the page again if the user chose another language. Without a language of their own, the one of the browser counts.
 * Returns whether the page is shown again.
 */
export const showInLanguage = (language: Language | null, before: string | null): boolean => {
  if (language === before && (language === null || language === pageData.language)) return false
  const url = new URL(location.href)
  // Without a language, the server removes the choice that the browser keeps.
  url.searchParams.set(languageParameter, language ?? '')
  history.replaceState(history.state, '', url)
  location.reload()
  return true
}
