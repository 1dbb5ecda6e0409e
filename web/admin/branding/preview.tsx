import { useEffect, useRef, useState } from 'preact/hooks'
import type { CornerRadius } from '../../../lib/features/branding/brand.models.ts'
import {
  type BrandColors,
  checkBrandColors,
  deriveBrandColors,
} from '../../../lib/features/branding/brand-colors.ts'
import { radii } from '../../../lib/features/branding/brand-style.ts'
import type { PageBrand } from '../../../lib/kernel/contract/page-data.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { Panel } from '../kit/panel.tsx'

const t = messagesOf('branding')

/** While a person types, the pages are not shown anew at each key. */
const pauseMs = 400

interface PreviewProps {
  readonly product: string | null
  readonly brand: PageBrand
  readonly colors: BrandColors
  readonly cornerRadius: CornerRadius
}

/** The sign-in page as it will look, in light and dark mode. It keeps the last readable colors while a person types. */
export const Preview = ({ product, brand, colors, cornerRadius }: PreviewProps) => {
  const accepted = useRef<BrandColors>({ accent_color: '#1d4ed8', background_color: null })
  if (checkBrandColors(colors).length === 0) accepted.current = colors
  const schemes = deriveBrandColors(accepted.current)
  const page = useSignInPage(product)
  const shown = usePaused(JSON.stringify(brand))
  return (
    <Panel heading={t('preview')}>
      <div class="columns">
        {(['light', 'dark'] as const).map((mode) => (
          <figure key={mode} class="stack preview">
            <figcaption>{t(mode)}</figcaption>
            {page && (
              <PageFrame
                title={t('previewFrame', { mode: t(mode) })}
                html={fillIn(page, JSON.parse(shown), mode)}
                properties={{
                  ...schemes[mode],
                  'color-scheme': mode,
                  '--radius': radii.get(cornerRadius) ?? '',
                  '--logo-ground': hasOwnGround(mode, brand) ? '#fff' : 'none',
                  '--logo-space': hasOwnGround(mode, brand) ? '0.5rem' : '0',
                }}
              />
            )}
          </figure>
        ))}
      </div>
    </Panel>
  )
}

/** In dark mode, a logo for light areas stands on one. */
const hasOwnGround = (mode: 'light' | 'dark', { dark_logo }: PageBrand): boolean =>
  mode === 'dark' && dark_logo === null

/** The sign-in page as people see it who are not signed in. */
const useSignInPage = (product: string | null): string | undefined => {
  const [page, setPage] = useState<string | undefined>()
  useEffect(() => {
    const address = new URLSearchParams({ ui_locales: pageData.language, ...(product && { product }) })
    const load = async () => setPage(await (await fetch(`/?${address}`, { credentials: 'omit' })).text())
    // Without the page there is no preview.
    load().catch(() => undefined)
  }, [product])
  return page
}

/** Gives the page another brand. Its colors are set later, because the policy of the console allows no style of another page. */
const fillIn = (page: string, brand: PageBrand, mode: 'light' | 'dark'): string => {
  // A browser applies the policy to a style while it parses.
  const parsed = new DOMParser().parseFromString(page.replace(/<style>.*?<\/style>/s, ''), 'text/html')
  const app = parsed.getElementById('app')
  const data = JSON.parse(app?.dataset['page'] ?? '{}')
  const logo = mode === 'dark' && brand.dark_logo ? brand.dark_logo : brand.logo
  app?.setAttribute('data-page', JSON.stringify({ ...data, brand: { ...brand, logo, dark_logo: null } }))
  parsed.querySelector('link[rel=icon]')?.remove()
  return `<!doctype html>${parsed.documentElement.outerHTML}`
}

interface PageFrameProps {
  readonly title: string
  readonly html: string
  readonly properties: Readonly<Record<string, string>>
}

/** A page to look at. Nothing in it can be used. */
const PageFrame = ({ title, html, properties }: PageFrameProps) => {
  const element = useRef<HTMLIFrameElement>(null)
  const paint = (): void => {
    const root = element.current?.contentDocument?.documentElement
    for (const [property, value] of Object.entries(properties)) root?.style.setProperty(property, value)
  }
  useEffect(paint)
  return <iframe ref={element} title={title} srcdoc={html} inert onLoad={paint} />
}

const usePaused = <Value,>(value: Value): Value => {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setShown(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return shown
}
