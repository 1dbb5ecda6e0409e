import { useEffect, useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { CardPage } from '../kit/card-page.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { type LinkState, replaceLinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'
import { openReturnUrl } from '../kit/open-return-url.ts'
import { useAction } from '../kit/use-action.ts'
import { ClosedLink } from './closed-link.tsx'
import type { Link } from './link-api.ts'
import { fetchProductBrand, useProductBrand } from './product-brand.ts'
import { SharedItems } from './shared-items.tsx'
import { describeUser, loadOpenedLink, loadView, type View } from './views.ts'

const t = messagesOf('link')

interface LinkPageProps {
  readonly state: LinkState
}

/** The page that an access link opens. */
export const LinkPage = ({ state }: LinkPageProps) => {
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
