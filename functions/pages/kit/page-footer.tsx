import { isLanguage, type Language, languageNames, languages } from '../../../lib/i18n/languages.ts'
import { languageParameter } from '../page-data.ts'
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

/** The choice of a language, and the links of the product. */
export const PageFooter = () => {
  const { supportUrl, privacyUrl, termsUrl } = pageData.brand
  const links = [
    { url: supportUrl, label: t('support') },
    { url: privacyUrl, label: t('privacy') },
    { url: termsUrl, label: t('terms') },
  ]
  return (
    <footer class="page-footer">
      <select
        aria-label={t('language')}
        value={pageData.language}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguage(value)) void chooseLanguage(value)
        }}
      >
        {languages.map((language) => (
          <option key={language} value={language} lang={language}>
            {languageNames[language]}
          </option>
        ))}
      </select>
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
