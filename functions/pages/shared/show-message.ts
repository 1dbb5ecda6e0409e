import { createList, getElement } from './elements.ts'

/** Shows messages in the status box or the problem box. Several messages become a list; no message empties the box. */
export const showMessage = (boxId: 'status' | 'problem', ...texts: readonly string[]): void => {
  const box = getElement(boxId, HTMLElement)
  box.replaceChildren(texts.length > 1 ? createList(texts) : (texts[0] ?? ''))
}
