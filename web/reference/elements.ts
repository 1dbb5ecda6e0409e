/** Returns the element with this id. Throws a `TypeError` if the page has no such element of this type. */
export const getElement = <T extends HTMLElement>(id: string, type: new () => T): T => {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new TypeError(`The page has no ${type.name} with the id ${id}.`)
  return element
}

/** Shows or hides an element of the page. */
export const setVisible = (id: string, isVisible: boolean): void => {
  getElement(id, HTMLElement).hidden = !isVisible
}

/** Creates an element with these properties. Texts are set as text, so that they never become markup. */
export const createElement = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

/** Adds a button to a block of code that copies its text. */
export const addCopyButton = (block: HTMLElement): void => {
  const code = block.querySelector('code')
  if (!code) return
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  })
  button.addEventListener('click', () => void copyText(code.textContent, code, 'Copied'))
  block.prepend(button)
}

/** Copies the address of a section when the link beside its heading is used. */
export const connectAnchors = (): void => {
  document.addEventListener('click', ({ target }) => {
    const anchor = target instanceof Element ? target.closest('a.anchor') : null
    if (anchor instanceof HTMLAnchorElement) void copyText(anchor.href, undefined, 'Link copied')
  })
}

/** Browsers permit scripts to copy only on `https` and local addresses. Elsewhere the text is selected instead. */
const copyText = async (text: string, shownIn: Element | undefined, message: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    announce(message)
  } catch {
    if (!shownIn) return
    getSelection()?.selectAllChildren(shownIn)
    announce('Press Ctrl+C to copy the selected text.')
  }
}

const visibleMs = 4000
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a short message at the bottom of the page, which screen readers announce. */
const announce = (text: string): void => {
  const notice = getElement('notice', HTMLElement)
  clearTimeout(timer)
  notice.textContent = text
  timer = setTimeout(() => notice.replaceChildren(), visibleMs)
}
