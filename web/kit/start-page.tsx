import { type ComponentType, render } from 'preact'
import { languageParameter } from '../../lib/contract/page-data.ts'
import { loadMessages } from './messages.ts'
import { appElement } from './page-data.ts'

/** Shows the page once its messages are loaded. */
export const startPage = async (Page: ComponentType): Promise<void> => {
  forgetLanguageParameter()
  keepFocusInView()
  await loadMessages()
  render(<Page />, appElement)
}

/** Firefox leaves an element half outside of the window when the Tab key leads to it (WCAG 2.2, 2.4.11). */
const keepFocusInView = (): void => {
  let isTabbing = false
  addEventListener('keydown', ({ key }) => {
    isTabbing = key === 'Tab'
  })
  addEventListener('focusin', ({ target }) => {
    if (isTabbing && target instanceof Element) target.scrollIntoView({ block: 'nearest' })
  })
}

/** The server keeps the choice, so it need not stay in the address. */
const forgetLanguageParameter = (): void => {
  const url = new URL(location.href)
  if (!url.searchParams.has(languageParameter)) return
  url.searchParams.delete(languageParameter)
  history.replaceState(history.state, '', url)
}
