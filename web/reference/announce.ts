import { getElement } from './elements.ts'

const visibleMs = 4000
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a short message at the bottom of the page, which screen readers announce. */
export const announce = (text: string): void => {
  const notice = getElement('notice', HTMLElement)
  clearTimeout(timer)
  notice.textContent = text
  timer = setTimeout(() => notice.replaceChildren(), visibleMs)
}
