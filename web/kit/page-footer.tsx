import { useRef } from 'preact/hooks'
import { languageParameter, type PageBrand } from '../../lib/contract/page-data.ts'
import { isLanguage, type Language, languageNames, languages } from '../../lib/i18n/languages.ts'
import { callApi } from './call-api.ts'
import { t } from './messages.ts'
import { pageData } from './page-data.ts'

/** Shows the page again in this language. The server keeps the choice in a cookie, and for the user if one is signed in. */
const chooseLanguage = async (language: Language): Promise<void> => {
  if (pageData.user) await callApi('PATCH', '/api/2/users/me', { body: { language } })
  const url = new URL(location.href)
  url.searchParams.delete('ui_locales')
  url.searchParams.set(languageParameter, language)
  // A page keeps what it needs after a reload in the history entry.
  history.replaceState(history.state, '', url)
  location.reload()
}

/**
 * The choice of a language. The arrow keys go through all languages, and each would show the page again. So people who
 * choose by keyboard confirm with Enter, or leave the field (WCAG 2.2, 3.2.2).
 */
const LanguageChooser = () => {
  const byKeyboard = useRef(false)
  const isChosen = useRef(false)
  const choose = (value: string): void => {
    if (isChosen.current || !isLanguage(value) || value === pageData.language) return
    isChosen.current = true
    void chooseLanguage(value)
  }
  return (
    <select
      aria-label={t('language')}
      value={pageData.language}
      onPointerDown={() => {
        byKeyboard.current = false
      }}
      onKeyDown={(event) => {
        byKeyboard.current = true
        const { value } = event.currentTarget
        if (event.key !== 'Enter' || value === pageData.language) return
        // Otherwise the browser would open the list.
        event.preventDefault()
        choose(value)
      }}
      // The list was open, and is closed by now.
      onKeyUp={({ key, currentTarget }) => {
        if (key === 'Enter') choose(currentTarget.value)
      }}
      onChange={({ currentTarget }) => {
        if (!byKeyboard.current) choose(currentTarget.value)
      }}
      onBlur={({ currentTarget }) => choose(currentTarget.value)}
    >
      {languages.map((language) => (
        <option key={language} value={language} lang={language}>
          {languageNames[language]}
        </option>
      ))}
    </select>
  )
}

interface PageFooterProps {
  readonly brand: PageBrand
}

/** The choice of a language, and the links of the product. */
export const PageFooter = ({ brand: { supportUrl, privacyUrl, termsUrl } }: PageFooterProps) => {
  const links = [
    { url: supportUrl, label: t('support') },
    { url: privacyUrl, label: t('privacy') },
    { url: termsUrl, label: t('terms') },
  ]
  return (
    <footer class="page-footer">
      <LanguageChooser />
      {links.map(
        ({ url, label }) =>
          url !== null && (
            <a key={label} href={url}>
              {label}
            </a>
          ),
      )}
    </footer>
  )
}
