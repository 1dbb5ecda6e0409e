import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { nameOwner } from '../../lib/features/branding/brand.models.ts'
import { languageParameter, type PageBrand } from '../../lib/kernel/contract/page-data.ts'
import { isLanguage, type Language, languageNames } from '../../lib/kernel/i18n/languages.ts'
import { Button, useAction } from './button.tsx'
import { callApi } from './call-api.ts'
import { ConfirmedSelect } from './confirmed-select.tsx'
import { describeFailure } from './describe-failure.ts'
import { t } from './messages.ts'
import { isPreview, pageData } from './start-path.ts'

/**
 * Shows the page again in this language. The server keeps the choice in a cookie, and for the user if one is signed in. An
 * administrator who impersonates a user does not choose for them.
 */
const chooseLanguage = async (language: Language): Promise<void> => {
  const { user } = pageData
  if (user && !user.impersonatedBy)
    await callApi('PATCH', '/api/2/users/me', { body: { page_language: language } })
  const url = new URL(location.href)
  url.searchParams.delete('ui_locales')
  url.searchParams.set(languageParameter, language)
  // A page keeps what it needs after a reload in the history entry.
  history.replaceState(history.state, '', url)
  location.reload()
}

const LanguageChooser = () => (
  <ConfirmedSelect
    aria-label={t('language')}
    value={pageData.language}
    onChoose={(value) => {
      if (isLanguage(value)) void chooseLanguage(value)
    }}
  >
    {pageData.languages.map((language) => (
      <option key={language} value={language} lang={language}>
        {languageNames[language]}
      </option>
    ))}
  </ConfirmedSelect>
)

interface PageFooterProps {
  readonly brand: PageBrand
}

/** The choice of a language, and the links of the product. */
export const PageFooter = ({ brand: { support_url, privacy_url, terms_url, footer } }: PageFooterProps) => {
  const links = [
    { url: support_url, label: t('support') },
    { url: privacy_url, label: t('privacy') },
    { url: terms_url, label: t('terms') },
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
      {footer && <p class="footer-text">{footer}</p>}
    </footer>
  )
}

interface BrandProps {
  readonly brand: PageBrand
}

/** The top of a page. */
const BrandHeader = ({ brand }: BrandProps) => (
  <header class="brand">
    <Brand brand={brand} />
  </header>
)

/** The logo, or the name of the product without one. With an organization, a line names both. */
export const Brand = ({ brand: { product_name, organization, logo, dark_logo } }: BrandProps) => (
  <>
    {logo ? (
      <picture>
        {dark_logo && <source media="(prefers-color-scheme: dark)" srcset={dark_logo.url} />}
        <img
          src={logo.url}
          width={logo.width}
          height={logo.height}
          alt={organization === null ? product_name : ''}
        />
      </picture>
    ) : (
      organization === null && <span>{product_name}</span>
    )}
    {organization !== null && <p>{nameOwner(organization, product_name)}</p>}
  </>
)

/** Reminds an administrator on every page that they act as another user. */
export const ImpersonationBanner = () => {
  const stop = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/impersonation/stop')
    // It may have ended in the meantime. The page then shows who is signed in.
    if (!response.isOk && response.status !== 401 && response.status !== 409) return response
    location.reload()
    return undefined
  })
  const { user } = pageData
  if (!user?.impersonatedBy) return null
  return (
    <aside class="impersonation" aria-label={t('impersonation')}>
      <p>{t('actAs', { name: user.displayName, admin: user.impersonatedBy })}</p>
      <Button look="secondary" isRunning={stop.isRunning} onClick={stop.run}>
        {t('stopActing')}
      </Button>
      {stop.failure && <p role="alert">{describeFailure(stop.failure)}</p>}
    </aside>
  )
}

/** Shows the heading as the title of the page. Calls `focus` when the step changes, so that screen readers announce it. */
export const useStep = (
  heading: string,
  step: string,
  focus: () => void,
  { product_name } = pageData.brand,
): void => {
  const shownStep = useRef(step)
  // Before the browser paints the step: a person may be in one of its fields right after they see it.
  useLayoutEffect(() => {
    document.title = heading.includes(product_name) ? heading : `${heading} – ${product_name}`
    if (shownStep.current === step) return
    shownStep.current = step
    focus()
  }, [heading, step, product_name])
}

interface CardPageProps {
  readonly heading: string
  /** Changes with each step of the page. The heading then receives the focus, so that screen readers announce the step. */
  readonly step: string
  /** That of the page, unless what the page shows has another one. */
  readonly brand?: PageBrand
  readonly children: ComponentChildren
}

/** A page with one card in its middle: the brand, a heading, and one task. */
export const CardPage = ({ heading, step, brand = pageData.brand, children }: CardPageProps) => {
  const headingElement = useRef<HTMLHeadingElement>(null)
  useStep(
    heading,
    step,
    () => {
      if (isPreview) return
      // A step that begins with a field focuses it instead.
      const main = headingElement.current?.closest('main')
      const field = main?.querySelector<HTMLElement>('[autofocus]')
      const target = field ?? headingElement.current
      target?.focus()
    },
    brand,
  )
  return (
    <>
      <ImpersonationBanner />
      <div class="card-page">
        <BrandHeader brand={brand} />
        <main class="card">
          <h1 ref={headingElement} tabIndex={-1}>
            {heading}
          </h1>
          {children}
        </main>
        <PageFooter brand={brand} />
      </div>
    </>
  )
}
