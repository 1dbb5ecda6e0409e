import { useEffect, useRef, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatNumber } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { Brand, PageFooter } from '../kit/page-frame.tsx'
import { pageData } from '../kit/start-path.ts'
import { client } from '../session-kit/client.ts'
import { useCurrentUser, useOverview } from './kit/current-user.ts'
import { Icon } from './kit/icon.tsx'
import { Initials } from './kit/initials.tsx'
import { toAddress } from './kit/route.ts'
import { Shortcuts } from './kit/shortcuts.tsx'
import { listOwnLacks } from './overview/own-account.ts'
import { SearchEverything } from './search/search-everything.tsx'
import { sections } from './sections.ts'

const t = messagesOf('console')

/** The menu of the console. Narrow screens show it on demand. */
export const Navigation = ({ current }: { readonly current: string }) => {
  const [isOpen, setOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    if (!isOpen) return
    // The link that has the focus disappears. It may lead to the same place, and the person may stay to keep changes.
    menuButton.current?.focus()
    setOpen(false)
  }
  useEffect(() => {
    if (!isOpen) return
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close()
    }
    addEventListener('keydown', closeByKey)
    return () => removeEventListener('keydown', closeByKey)
  }, [isOpen])
  const areasElement = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = areasElement.current
    if (!element) return
    // Also after a change of the window, and after texts have come that need more space.
    const observer = new ResizeObserver(() => showCurrent(element))
    observer.observe(element)
    return () => observer.disconnect()
  }, [current])
  const { profile, can } = useCurrentUser()
  const allowed = sections.filter(({ permission }) => can(permission))
  const areas = [...new Set(allowed.map(({ area }) => area))]
  return (
    <div class="sidebar">
      <div class="sidebar-content">
        <header class="sidebar-top">
          <SkipButton />
          <div class="brand">
            <Brand brand={pageData.brand} />
          </div>
          <button
            ref={menuButton}
            type="button"
            class="button menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpen(!isOpen)}
          >
            {t('menu')}
          </button>
          <SearchEverything sections={allowed} />
        </header>
        <div id="menu" class={isOpen ? 'menu open' : 'menu'}>
          <nav aria-label={t('administration')}>
            <div ref={areasElement} class="areas">
              {areas.map((area) => {
                const links = (
                  <ul aria-labelledby={area && `area-${area}`}>
                    {allowed
                      .filter((section) => section.area === area)
                      .map(({ name, label, icon }) => (
                        <li key={name}>
                          <a
                            class="place"
                            href={toAddress(name)}
                            aria-current={name === current ? 'page' : undefined}
                            onClick={close}
                          >
                            <Icon name={icon} />
                            {t(label)}
                            {name === 'overview' && <AttentionCount />}
                          </a>
                        </li>
                      ))}
                  </ul>
                )
                return (
                  <div key={area ?? ''} class="area">
                    {area && <h2 id={`area-${area}`}>{t(area)}</h2>}
                    {links}
                  </div>
                )
              })}
            </div>
            <div class="own">
              <a class="place" href="/account">
                <Initials name={profile.display_name} />
                <span>{profile.display_name}</span>
                <span class="for-screen-readers"> – {t('yourAccount')}</span>
              </a>
              <Shortcuts />
              <SignOut />
            </div>
          </nav>
          <PageFooter brand={pageData.brand} />
        </div>
      </div>
    </div>
  )
}

/** Scrolls the menu, and nothing else, to the current entry if it is not in view. */
const showCurrent = (menu: HTMLElement): void => {
  const entry = menu.querySelector('[aria-current=page]')?.getBoundingClientRect()
  if (!entry) return
  const { top, bottom } = menu.getBoundingClientRect()
  if (entry.top < top + edge) menu.scrollTop -= top + edge - entry.top
  else if (entry.bottom > bottom - edge) menu.scrollTop += entry.bottom - bottom + edge
}

/** The menu fades out at its edges, as `layout.css` has it. */
const edge = 24

/** How much needs attention, next to the link of the overview. */
const AttentionCount = () => {
  const count = (useOverview().value?.attention.length ?? 0) + listOwnLacks().length
  if (count === 0) return null
  return (
    <>
      <span class="count" aria-hidden="true">
        {formatNumber(count)}
      </span>
      <span class="for-screen-readers"> – {t('attentionCount', { count })}</span>
    </>
  )
}

/** The fragment of the address belongs to the sections, so this is no link to another part of the page. */
const SkipButton = () => (
  <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
    {t('skipToContent')}
  </button>
)

const SignOut = () => {
  const signOut = useAction(async () => {
    await client.sessions.logout()
    location.assign('/')
    return undefined
  })
  return (
    <>
      <Button
        look="quiet"
        aria-label={t('signOut')}
        title={t('signOut')}
        isRunning={signOut.isRunning}
        onClick={signOut.run}
      >
        <Icon name="leave" />
      </Button>
      <Alert kind="problem">{signOut.failure && describeFailure(signOut.failure)}</Alert>
    </>
  )
}
