import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Branding } from '../../lib/client/generated/models.ts'
import type { PageBrand } from '../../lib/kernel/contract/page-data.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { type LinkState, replaceLinkState, useLinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { openReturnUrl } from '../kit/sign-in-address.ts'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { ClosedLink, SharedItems } from './closed-link.tsx'
import { describeUser, type Link, loadOpenedLink, loadView, type View } from './views.ts'

const t = messagesOf('link')

interface LinkPageProps {
  readonly state: LinkState
}

/** The page that an access link opens. */
const LinkPage = ({ state }: LinkPageProps) => {
  const [view, setView] = useState<View>({ name: 'checking' })
  const [brand, setBrand] = useProductBrand()
  const [sessionKey, setSessionKey] = useState(state.sessionKey)
  useEffect(() => {
    let isOutdated = false
    const load = async () => {
      const loaded = await loadView(state)
      // While a request is running, the person may paste another link.
      if (isOutdated) return
      const product = findProduct(loaded)
      const productBrand = product === undefined ? undefined : await fetchProductBrand(product)
      if (isOutdated) return
      setBrand(productBrand)
      setView(loaded)
    }
    void load()
    return () => {
      isOutdated = true
    }
  }, [])
  /** Leads to the product as the guest of the link. */
  const enter = useAction(async (redirect: string, bearer: string | undefined = sessionKey) => {
    const failure = await openReturnUrl(redirect, bearer === undefined ? {} : { bearer })
    if (failure?.status !== 401) return failure
    setView({ name: 'unusable', problem: t('closed') })
    return undefined
  })
  const showOpened = async ({ id, product }: Link, opened: Pick<LinkState, 'sessionKey' | 'redirect'>) => {
    replaceLinkState({ openedLinkId: id, product, ...opened })
    setSessionKey(opened.sessionKey)
    if (opened.redirect === undefined) return setView(await loadOpenedLink(id, opened))
    setView({ name: 'ready', redirect: opened.redirect, product })
    await enter.run(opened.redirect, opened.sessionKey)
  }
  const signOut = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/logout')
    if (!response.isOk) return response
    replaceLinkState({ isSignedOut: true })
    setView({ name: 'signedOut' })
    return undefined
  })
  return (
    <CardPage
      heading={getHeading(view)}
      step={view.name === 'open' || view.name === 'signedOut' ? view.name : 'link'}
      brand={brand}
    >
      {view.name === 'checking' && <p role="status">{t('checking')}</p>}
      {view.name === 'unusable' && <Alert kind="problem">{view.problem}</Alert>}
      {view.name === 'signedOut' && <p role="status">{t('signedOut')}</p>}
      {view.name === 'closed' && (
        <ClosedLink token={state.token ?? ''} link={view.link} user={view.user} onOpened={showOpened} />
      )}
      {view.name === 'ready' && (
        <>
          <p role="status">{t('isOpen')}</p>
          <Alert kind="problem">{enter.failure && describeFailure(enter.failure)}</Alert>
          <Button isRunning={enter.isRunning} onClick={() => enter.run(view.redirect)}>
            {view.product === null ? t('open') : t('openIn', { product: view.product })}
          </Button>
        </>
      )}
      {view.name === 'open' && (
        <>
          <p role="status">{t('isOpenFor', { name: describeUser(view.user) })}</p>
          <SharedItems names={view.items} />
          <Alert kind="problem">{signOut.failure && describeFailure(signOut.failure)}</Alert>
          {view.isOwn && (
            <Button look="secondary" isRunning={signOut.isRunning} onClick={signOut.run}>
              {t('signOut')}
            </Button>
          )}
        </>
      )}
    </CardPage>
  )
}

/** The product of the link. Undefined if the page does not know it. */
const findProduct = (view: View): string | null | undefined => {
  if (view.name === 'closed') return view.link.product
  return view.name === 'ready' ? view.product : undefined
}

const getHeading = (view: View): string => {
  if (view.name === 'open') return t('openedHeading')
  if (view.name === 'signedOut') return t('signedOutHeading')
  const product = findProduct(view)
  return typeof product === 'string' ? t('headingIn', { product }) : t('heading')
}

/** The brand of a product with the stylesheet of its colors. */
interface ProductBrand {
  readonly brand: PageBrand
  readonly style: string
}

/** The policy of the page allows images of its own origin only. */
const toOwnOrigin = (logo: PageBrand['logo']): PageBrand['logo'] =>
  logo && { ...logo, url: new URL(logo.url).pathname }

/**
 * Returns the brand of the product of a link, or of the service if it has none. Undefined if the page has it already, or
 * the service does not answer. Later visits of the page name the product in the address, so the server knows it.
 */
const fetchProductBrand = async (product: string | null): Promise<ProductBrand | undefined> => {
  if (product === pageData.product) return undefined
  const url = new URL(location.href)
  url.searchParams.set('product', product ?? '')
  history.replaceState(history.state, '', url)
  const query = product === null ? '' : `?${new URLSearchParams({ product })}`
  const [{ buildBrandStyle }, response] = await Promise.all([
    import('../../lib/features/branding/brand-style.ts'),
    callApi<Branding>('GET', `/api/2/branding${query}`),
  ])
  if (!response.isOk) return undefined
  const { body } = response
  return {
    brand: {
      ...body,
      organization: null,
      logo: toOwnOrigin(body.logo),
      dark_logo: toOwnOrigin(body.dark_logo),
      // The texts belong to the service, so the page has them already.
      greeting: pageData.brand.greeting,
      footer: pageData.brand.footer,
    },
    style: buildBrandStyle(body),
  }
}

/** The brand to show, which is that of the page at first. The colors change together with the rest. */
const useProductBrand = () => {
  const [shown, setShown] = useState<ProductBrand | undefined>()
  useLayoutEffect(() => {
    if (!shown) return
    // The policy of the page allows no further style element.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(shown.style)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [shown])
  return [shown?.brand ?? pageData.brand, setShown] as const
}

const Page = () => {
  const link = useLinkState()
  return link ? <LinkPage key={link.visit} state={link.state} /> : null
}

/** Shows the page of an access link. */
export const startLinkPage = (): Promise<void> => startPage(Page)
