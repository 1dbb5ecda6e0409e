import { type ComponentType, render } from 'preact'
import { languageParameter } from '../../lib/contract/page-data.ts'
import { keepFocus } from './keep-focus.ts'
import { loadMessages } from './messages.ts'
import { appElement } from './start-path.ts'

/** Shows the page once its messages are loaded. */
export const startPage = async (Page: ComponentType): Promise<void> => {
  forgetLanguageParameter()
  keepFocus()
  await loadMessages()
  render(<Page />, appElement)
}

/** The server keeps the choice, so it need not stay in the address. */
const forgetLanguageParameter = (): void => {
  const url = new URL(location.href)
  if (!url.searchParams.has(languageParameter)) return
  url.searchParams.delete(languageParameter)
  history.replaceState(history.state, '', url)
}
